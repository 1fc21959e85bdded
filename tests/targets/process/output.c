// What is written is an event with its terms.
// args: ab
// options: --all
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char text[4] = {'<', argv[1][0], '>', '\n'};
    if (write(1, text, 4) != 4) //~ output: 1 of 4 bytes symbolic; <a>\n
        return 1;
    printf("%c%s\n", argv[1][1], "x"); //~ output: 1 of 3 bytes symbolic; bx\n
    fflush(stdout);
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
//~ stdout: "<a>\nbx\n"
