// run: 0 9
// run: 4 4
#include <stdbool.h>
#include <stdlib.h>

struct pair {
    int x, y;
};

static bool inside(struct pair p) {
    return p.x >= 0 && p.x < 10 && p.y >= 0 && p.y < 10;
}

static int bare(int x) {
    return x;
}

static void nothing(int x) {
    if (x && bare(x))
        return;
}

int main(int argc, char **argv) {
    struct pair p = {.x = atoi(argv[1]), .y = argc > 2 && argv[2] ? atoi(argv[2]) : 0};
    nothing(p.x);
    return inside(p) || bare(p.y);
}
