// -ftrapv: the check for overflow is a condition.
// args: abcd
// cc: -ftrapv
int main(int argc, char **argv) {
    int a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (a + 1000 == 0x64636649)
    //~ branch: (int32)((arg[1][0..4]:u32 + 1000 ^ 1000) & (arg[1][0..4]:u32 ^ arg[1][0..4]:u32 + 1000)) >= 0
    //~ branch: arg[1][0..4]:u32 == 0x64636261
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
