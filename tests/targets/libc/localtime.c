// Known effects: what the function wrote is concrete.
// args: a
#include <time.h>
#include <string.h>

int main(int argc, char **argv) {
    struct tm tm;
    memset(&tm, argv[1][0], sizeof tm);
    time_t zero = 0;
    gmtime_r(&zero, &tm);
    if (tm.tm_year == 70 && argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
