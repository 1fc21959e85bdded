// What is written is an event with its terms.
// args: ab
// options: --all
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char text[4] = {'<', argv[1][0], '>', '\n'};
    if (write(1, text, 4) != 4)
        return 1;
    printf("%c%s\n", argv[1][1], "x");
    fflush(stdout);
    return 0;
}
