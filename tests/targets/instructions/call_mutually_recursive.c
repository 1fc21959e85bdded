// Two functions that call each other as the input says.
// args: 3

static int odd(unsigned n);

__attribute__((noinline)) static int even(unsigned n) {
    return n == 0 ? 1 : odd(n - 1);
    //~ branch: arg[1][0] != '0'
    //~ branch: arg[1][0] != '2'
}

__attribute__((noinline)) static int odd(unsigned n) {
    return n == 0 ? 0 : even(n - 1);
    //~ branch: arg[1][0] != '1'
    //~ branch: arg[1][0] == '3'
}

int main(int argc, char **argv) {
    return even((unsigned)argv[1][0] - '0');
}

//~ sources: arg[1](1)
//~ no-loss
