// An atomic operation without a model is a loss, and its result concrete.
// args: ab
int main(int argc, char **argv) {
    int n = argv[1][0];
    __atomic_fetch_nand(&n, argv[1][1], __ATOMIC_SEQ_CST); //~ loss: instruction without a model/atomic operation ×2
    if (n == ~('a' & 'b'))
        return 0;
    return 1;
}

//~ sources: arg[1](2)
