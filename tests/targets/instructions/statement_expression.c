// A statement expression.
// args: a
int main(int argc, char **argv) {
    int n = ({
        int m = argv[1][0];
        m * 2;
    });
    if (n == 'a' * 2) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
