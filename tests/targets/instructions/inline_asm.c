// Inline assembly with a symbolic operand is a loss.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0], m;
    __asm__("lea 1(%1), %0" : "=r"(m) : "r"(n)); //~ loss: inline assembly/inline assembly
    if (m == 'b')
        return argv[1][0] == 'x';
    return 1;
}

//~ sources: arg[1](1)
