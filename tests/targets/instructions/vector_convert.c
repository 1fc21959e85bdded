// Conversion of lanes to another type.
// args: a

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    typedef short short4 __attribute__((vector_size(8)));
    int4 a = {argv[1][0] * 1000, 2, 3, 4};
    short4 b = __builtin_convertvector(a, short4);
    if (b[0] == (short)('a' * 1000)) //~ branch: (int8)arg[1][0] * 0x3e80000 == 0x7ae80000
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
