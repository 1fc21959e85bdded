// stdin by getline, which allocates.
// stdin: "ab\ncd"
#include <stdio.h>

int main(void) {
    char *line = 0;
    size_t room = 0;
    if (getline(&line, &room, stdin) != 3 || getline(&line, &room, stdin) != 2)
        return 2;
    if (line[1] == 'd') //~ branch: stdin[4] == 'd'
        return 0;
    return 1;
}

//~ sources: stdin(5)
//~ no-loss
