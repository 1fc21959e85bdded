// stdin by fgets: one line.
// stdin: "ab\ncd\n"
#include <stdio.h>

int main(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 2;
    if (line[1] == 'b' && line[2] == '\n' && line[3] == 0)
    //~ branch: stdin[1] == 'b'
    //~ branch: stdin[2] == '\n'
        return 0;
    return 1;
}

//~ sources: stdin(3)
//~ no-loss
