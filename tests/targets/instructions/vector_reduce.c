// Reductions over lanes.
// args: ab

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], 3, 4};
    if (__builtin_reduce_add(a) != 'a' + 'b' + 7) //~ loss: instruction without a model/vector.reduce.add.v4i32 ×2
        return 1;
    if (__builtin_reduce_max(a) == 'b') //~ loss: instruction without a model/vector.reduce.smax.v4i32 ×2
        return 0;
    return 1;
}

//~ sources: arg[1](2)
