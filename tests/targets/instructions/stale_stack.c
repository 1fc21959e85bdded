// A new stack frame does not see symbolic values of an old one.
// args: a

__attribute__((noinline)) static int leave(int value) {
    volatile int kept[8];
    for (int i = 0; i < 8; i++)
        kept[i] = value;
    return kept[3];
}

__attribute__((noinline)) static int reuse(void) {
    volatile int kept[8];
    for (int i = 0; i < 8; i++)
        kept[i] = i;
    return kept[5];
}

int main(int argc, char **argv) {
    if (leave(argv[1][0]) != 'a') //~ branch: arg[1][0] == 'a'
        return 1;
    if (reuse() == 5)
        return 0;
    return 2;
}

//~ sources: arg[1](1)
//~ no-loss
