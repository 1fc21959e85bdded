// A careful parser of `key=value`: nothing may be reported.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[33];
    size_t n = fread(line, 1, sizeof line - 1, stdin);
    line[n] = 0;
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return 0;
    size_t key = (size_t)(equals - line);
    char *copy = malloc(strlen(line) + 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, line, key);
    strcpy(copy + key, equals + 1);
    int counts[256] = {0};
    for (char *p = copy; *p != 0; p++)
        counts[(unsigned char)toupper((unsigned char)*p)]++;
    printf("%d %s\n", counts['A'], copy);
    free(copy);
    return 0;
}
