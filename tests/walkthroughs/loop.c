// SERE'14 section V-D: the last condition holds only after four of six turns of the loop went the rare way, and none of
// them alone covers anything new. What helps is how near `count` came to 6.
#include <offshoot.h>

static int loop(const int *v, int count) {
    if (count == 2) {
        for (int at = 0; at < 6; at++)
            if (v[at] == 3)
                count++;
        if (count == 6)
            return 1;
    }
    return 0;
}

int main(void) {
    int v[6] = {0};
    int count = 0;
    offshoot_symbolic(v, sizeof v, "v");
    offshoot_symbolic(&count, sizeof count, "count");
    return loop(v, count);
}
