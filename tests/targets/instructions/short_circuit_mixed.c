// A mixture with negations, over several lines.
// args: abc
int main(int argc, char **argv) {
    if ((argv[1][0] == 'x' || !(argv[1][1] < 'a')) &&
    //~ branch: arg[1][0] != 'x'
    //~ branch: (int8)arg[1][1] > '`'
        !(argv[1][2] == 'y' || //~ branch: arg[1][2] != 'y'
          argv[1][2] == 'z')) //~ branch: arg[1][2] != 'z'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
