// A large structure returned through a hidden pointer (sret).
// args: a

struct big {
    long data[8];
};

__attribute__((noinline)) static struct big make(int n) {
    struct big b = {{0}};
    b.data[7] = n * 2;
    return b;
}

int main(int argc, char **argv) {
    struct big b = make(argv[1][0]);
    if (b.data[7] == 'a' * 2) //~ branch: (int8)arg[1][0] << 1 == 194
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
