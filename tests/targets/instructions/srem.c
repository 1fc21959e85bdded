// Signed remainder has the sign of the dividend.
// args: abcdefgh
int main(int argc, char **argv) {
    int a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (-b % a == -0x04040404)
    //~ divide: arg[1][0..4]:u32; signed
    //~ branch: (int32)arg[1][4..8]:u32 % (int32)arg[1][0..4]:u32 == 0x4040404
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
