// A large structure passed by value (byval): the callee changes its own copy.
// args: a

struct big {
    long data[8];
};

__attribute__((noinline)) static long take(struct big b) {
    b.data[5]++;
    return b.data[5];
}

int main(int argc, char **argv) {
    struct big b = {{0}};
    b.data[5] = argv[1][0];
    if (take(b) != 'b') //~ branch: arg[1][0] == 'a'
        return 1;
    if (b.data[5] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
