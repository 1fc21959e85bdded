// The record says how long it is; nobody compares that with what was read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char head;
    if (fread(&head, 1, 1, stdin) != 1)
        return 0;
    char *payload = malloc(24), answer[256];
    if (payload == NULL)
        return 0;
    memset(payload, 'x', 24);
    memset(answer, 0, sizeof answer);
    memcpy(answer, payload, head);
    puts(answer);
    free(payload);
    return 0;
}
