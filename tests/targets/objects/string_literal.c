// A string literal is an object.
// args: 3
int main(int argc, char **argv) {
    if ("zyxwv"[argv[1][0] - '0'] == 'w') //~ branch: arg[1][0] == '3'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
