// Atomic minimum and maximum.
// args: ab
int main(int argc, char **argv) {
    int n = argv[1][0];
    __atomic_fetch_max(&n, argv[1][1], __ATOMIC_SEQ_CST); //~ loss: instruction without a model/atomic operation
    if (n == 'b') //~ branch: arg[1][0] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
