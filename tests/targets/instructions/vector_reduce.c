// Reductions over lanes.
// args: ab

typedef int int4 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], 3, 4};
    if (__builtin_reduce_add(a) != 'a' + 'b' + 7) //~ branch: (int8)arg[1][1] + (int8)arg[1][0] == 195
        return 1;
    if (__builtin_reduce_max(a) != 'b')
    //~ branch: ((int32)((int32)((int8)arg[1][0] < (int8)arg[1][1] ? (int8)arg[1][1] : (int8)arg[1][0]) < 3 ? 3 : (int8)arg[1][0] < (int8)arg[1][1] ? (int8)arg[1][1] : (int8)arg[1][0]) < 4 ? 4 : (int32)((int8)arg[1][0] < (int8)arg[1][1] ? (int8)arg[1][1] : (int8)arg[1][0]) < 3 ? 3 : (int8)arg[1][0] < (int8)arg[1][1] ? (int8)arg[1][1] : (int8)arg[1][0]) == 98
        return 2;
    if (__builtin_reduce_xor(a) == ('a' ^ 'b' ^ 7)) //~ branch: ((int8)arg[1][1] ^ (int8)arg[1][0]) == 3
        return 0;
    return 3;
}

//~ sources: arg[1](2)
//~ no-loss
