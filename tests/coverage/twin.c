// with: twin.c
// with: nested/twin.c
// run: 2
// run: 0
// Two files of one name with a static function of one name and one body.
#include <stdlib.h>

int twin_one(int x);
int twin_two(int x);

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    return twin_one(x) + twin_two(x);
}
