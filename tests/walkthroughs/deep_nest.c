// FSE'14 section 3.3, figure 5: every path to the innermost condition takes the four branches around it, so they say
// nothing about how it was reached. The branch that matters is farther away than the contexts that keep them look.
#include <offshoot.h>

static int nest(const unsigned char *in) {
    int way = 0;
    if (in[1] > 100)
        way++;
    if (in[2] > 100)
        way++;
    if (in[3] > 100)
        way++;
    if (in[0] > 100)
        way++;
    if (in[4] < 200)
        if (in[5] < 200)
            if (in[6] < 200)
                if (in[7] < 200)
                    if (in[0] == 150)
                        return way + 10;
    return way;
}

int main(void) {
    unsigned char in[8] = {0};
    offshoot_symbolic(in, sizeof in, "in");
    return nest(in);
}
