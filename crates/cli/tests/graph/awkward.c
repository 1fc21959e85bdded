// Decisions that are awkward to draw. One a line: the test names them by their lines.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int other(int n);

static int same(int n) {
    return n > 3                       // 9
               ? n
               : -n;
}

int loops(const char *s, int n) {
    int i = 0, sum = 0;
    while (i < n &&                    // 16
           s[i] != 'x') {              // 17
        sum++;
        i++;
    }
    for (; !(i > 3 ||                  // 21
             (sum &&                   // 22
              s[0] == 'q'));           // 23
         i++)
        sum += same(i);
    do {
        if (sum == 7)                  // 27
            break;
        puts("not seven");
    } while (0);
    do {
        sum--;
    } while (sum > 2 &&                // 33
             (s[0] == 'a' ||           // 34
              s[1] == 'b'));           // 35
    return sum;
}

int choices(int n) {
    int r = 0;
    switch (n) {                       // 41
    case 1:
        r = other(1);
    case 2:
        r += 2;
        break;
    case 3 ... 4:
        return 9;
    default:
        r = same(n);
    }
    if (r > 3)                         // 52
        goto out;
    r = n == 8                         // 54
            ? 1
            : 2;
    puts("chosen");
    int both = n > 2                   // 58
               && r < 8;               // 59
    if (both)                          // 60
        r++;
again:
    if (r < 5) {                       // 63
        r++;
        goto again;
    }
out:
    return r;
}

int factorial(int n) {
    return n <= 1                      // 72
               ? 1
               : n * factorial(n - 1);
}

static int compare(const void *a, const void *b) {
    return *(const char *)a < *(const char *)b   // 78
               ? -1
               : 1;
}

static void bye(void) {
    if (getenv("OFFSHOOT_NEVER_SET"))  // 84
        puts("bye");
}

static void fail(void) {
    exit(3);
}

int main(int argc, char **argv) {
    if (argc < 2)                      // 93
        fail();
    atexit(bye);
    char text[8] = {0};
    strncpy(text, argv[1], 7);
    qsort(text, 7, 1, compare);
    int (*function)(int) = text[6] > 'm'   // 99
                               ? factorial
                               : choices;
    return loops(argv[1], (int)strlen(argv[1])) + function(argv[1][0] & 7);
}
