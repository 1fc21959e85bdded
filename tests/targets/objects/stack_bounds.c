// A read from a stack object.
// args: 3
int main(int argc, char **argv) {
    char text[8] = "abcdefg";
    if (text[argv[1][0] - '0'] == 'd') //~ branch: arg[1][0] == '3'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
