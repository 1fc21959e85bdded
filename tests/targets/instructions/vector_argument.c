// Vectors as argument and result.
// args: a

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

__attribute__((noinline)) static int4 twice(int4 v) {
    return v + v;
}

int main(int argc, char **argv) {
    int4 a = twice((int4){argv[1][0], 1, 2, 3});
    if (a[0] == 'a' * 2) //~ branch: (int8)arg[1][0] << 1 == 194
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
