// Volatile loads and stores carry terms.
// args: a
int main(int argc, char **argv) {
    volatile int n = argv[1][0];
    n += 1;
    if (n == 'b') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
