// Rotation by a constant.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_rotateleft32(a, 8) == 0x63626164) //~ branch: arg[1][0..4]:u32 == 0x64636261
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
