// with: same_static.c
// with: nested/same_static.c
// run: 3
// run: 5
#include <stdlib.h>

int same_static(int x);
int nested_static(int x);

static int helper(int x) {
    return x;
}

int main(int argc, char **argv) {
    int x = helper(atoi(argv[1]));
    return same_static(x) || nested_static(x);
}
