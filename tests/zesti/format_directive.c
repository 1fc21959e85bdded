// ZESTI's third case study: a quote before a character stands for the character's number. A lone quote is followed by
// the end of the string, and what follows that is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long number(const char *s) {
    if (*s == '"' || *s == '\'') {
        unsigned char c = (unsigned char)*++s;
        s++;
        if (*s != 0)
            fputs("characters behind the constant\n", stderr);
        return c;
    }
    return *s - '0';
}

int main(void) {
    char line[64];
    size_t n = fread(line, 1, sizeof line, stdin);
    if (n < 4 || line[0] != '%' || line[2] != ' ')
        return 0;
    char *argument = malloc(n - 2);
    if (argument == NULL) return 0;
    memcpy(argument, line + 3, n - 3);
    argument[n - 3] = 0;
    switch (line[1]) {
    case 'c':
        putchar(argument[0]);
        break;
    case 'd':
        printf("%ld\n", number(argument));
        break;
    default:
        fputs("no such directive\n", stderr);
    }
    free(argument);
    return 0;
}
