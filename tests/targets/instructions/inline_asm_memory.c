// Inline assembly that writes memory ends what was symbolic there.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0];
    __asm__("movl $7, %0" : "=m"(n));
    if (n == 7)
        return argv[1][0] == 'x';
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
