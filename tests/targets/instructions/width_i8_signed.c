// Arithmetic in 8 bits, signed.
// args: ab
int main(int argc, char **argv) {
    signed char a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    signed char sum = a + b;
    if (sum < 0) //~ branch: (int8)(arg[1][1] + arg[1][0]) < 0
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
