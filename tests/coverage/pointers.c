// run: a
// run: abc
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char c;
};

static int find(const struct node *n, char c) {
    while (n && n->c != c)
        n = n->next;
    return n != NULL && n->next == NULL;
}

int main(int argc, char **argv) {
    struct node nodes[3] = {{NULL, 0}};
    size_t n = strlen(argv[1]);
    for (size_t i = 0; i < n && i < 3; i++) {
        nodes[i].c = argv[1][i];
        nodes[i].next = i + 1 < n && i < 2 ? &nodes[i + 1] : NULL;
    }
    return find(nodes, 'c') || find(nodes, 'a');
}
