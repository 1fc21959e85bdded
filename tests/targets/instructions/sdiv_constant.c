// Signed division by constants rounds towards zero.
// args: abcdefgh
int main(int argc, char **argv) {
    int a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a / 7 == -3) //~ branch: arg[1][0..4]:u32 + 27 >= 7
        return 1;
    if (b / 16 > 0) //~ branch: (int32)arg[1][4..8]:u32 > 15
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
