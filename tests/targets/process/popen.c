// popen reads from another program: concrete.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *f = popen("echo x", "r");
    int c = fgetc(f);
    pclose(f);
    if (c == 'x' && argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
