// A vector loaded from symbolic bytes.
// args: abcdefghijklmnop

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    byte16 v;
    __builtin_memcpy(&v, argv[1], 16);
    v ^= (byte16){1, 1, 1, 1};
    if (v[0] == ('a' ^ 1) && v[15] == 'p')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][15] == 'p'
        return 0;
    return 1;
}

//~ sources: arg[1](16)
//~ no-loss
