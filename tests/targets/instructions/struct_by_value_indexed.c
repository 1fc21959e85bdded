// A structure that is passed by value from an address that depends on the input: the callee reads its own copy.
// args: 1
struct big { long a, b, c; };

__attribute__((noinline)) static long second(struct big it) { return it.b; }

int main(int argc, char **argv) {
    static struct big all[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    return second(all[argv[1][0] - '0']) == 5 ? 0 : 1; //~ concretise: ((int8)arg[1][0] - '0') * 24 + ADDRESS == ADDRESS
}

//~ sources: arg[1](1)
//~ no-loss
