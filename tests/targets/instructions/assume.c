// __builtin_assume and __builtin_unreachable do not disturb.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0];
    __builtin_assume(n >= 0);
    if (n == 'z') //~ branch: arg[1][0] != 'z'
        return 1;
    if (n / 2 == 48) //~ branch: (arg[1][0] & '~') == 96
        return 0;
    return 2;
}

//~ sources: arg[1](1)
//~ no-loss
