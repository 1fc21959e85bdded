// Reductions over lanes.
// args: ab

typedef int int4 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], 3, 4};
    if (__builtin_reduce_add(a) != 'a' + 'b' + 7)
        return 1;
    if (__builtin_reduce_max(a) != 'b')
        return 2;
    if (__builtin_reduce_xor(a) == ('a' ^ 'b' ^ 7))
        return 0;
    return 3;
}
