// run: 1
// run: 15
// run: 200
#include <stdlib.h>

static const char *size(int x) {
    return x < 10 ? "small" : x < 20 ? "medium" : x < 100 && x % 2 ? "odd" : x > 150 || x == 120 ? "large" : "even";
}

int main(int argc, char **argv) {
    const char *s = size(atoi(argv[1]));
    return (s[0] == 's' ? 1 : 0) + (s[0] == 'm' ? 2 : s[1] == 'a' ? 3 : 4);
}
