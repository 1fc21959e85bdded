// Small structures passed and returned in registers.
// args: ab

struct two {
    long a;
    int b;
};

__attribute__((noinline)) static struct two swap(struct two t) {
    return (struct two){t.b, (int)t.a};
}

int main(int argc, char **argv) {
    struct two t = {argv[1][0], argv[1][1]};
    t = swap(t);
    if (t.a == 'b' && t.b == 'a')
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
