// Nobody runs it: the profile is of another program.
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x && argc > 1)
        return 1;
    return 0;
}
