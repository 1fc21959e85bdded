// Shuffles move lanes.
// args: ab

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], 3, 4};
    int4 b = __builtin_shufflevector(a, a, 3, 2, 1, 0);
    if (b[2] == 'b' && b[3] == 'a')
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
