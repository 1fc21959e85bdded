// run: 1
// run: 0
#include <stdio.h>
#include <stdlib.h>

#define LOG(level, ...)                                                                                                \
    ((level) > 0 && (level) < 3 ? printf(__VA_ARGS__) : 0)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define ASSERT(c) ((c) ? (void)0 : (void)printf("%s\n", #c))

int main(int argc, char **argv) {
    int x = atoi(argv[1]), CAT(va, lue) = x || argc > 4;
    LOG(x, "%d %d\n", x && value, x || value);
    ASSERT(x && value);
    ASSERT(x == 0 || value == 1);
    return value;
}
