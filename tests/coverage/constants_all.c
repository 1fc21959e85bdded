// run: 0
#include <stdlib.h>

int main(int argc, char **argv) {
    if (1 && 1)
        argc++;
    if (0 || 0)
        argc++;
    if ((1 || argc) && (argc || 0))
        argc++;
    do {
        argc++;
    } while (0);
    return 1 ? argc : 0;
}
