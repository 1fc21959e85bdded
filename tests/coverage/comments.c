// run: 0
// run: 1
/* A comment before. */
#include <stdlib.h>

int main(int argc, char **argv) {
    // A comment.
    int x = atoi(argv[1]);

    /* Over
       some lines. */ if (x) {
        /* only a comment */
    }

    if (x && argc) /* behind */ {

        x++; // behind

        // alone

    } // end
    /* a */ x++; /* b
    c */
    /* d
    */ x--;
    if (x /* in
        between */ || argc > 9) x = 2;
    return 0; /* last */
}
/* A comment behind. */
