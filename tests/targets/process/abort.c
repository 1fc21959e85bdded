// abort keeps the trace.
// args: a
// exit: signal 6
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a')
        abort();
    return 0;
}
