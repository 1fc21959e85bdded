// Inline assembly that writes memory ends what was symbolic there.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0];
    __asm__("movl $7, %0" : "=m"(n));
    if (n == 7)
        n = argv[1][0];
    if (n == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
