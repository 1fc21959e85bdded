// Inline assembly that reads memory is a loss if that is symbolic.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0], m;
    __asm__("movl %1, %0" : "=r"(m) : "m"(n)); //~ loss: instruction without a model/inline assembly
    if (m == 'a')
        return 0;
    return 1;
}

//~ sources: arg[1](1)
