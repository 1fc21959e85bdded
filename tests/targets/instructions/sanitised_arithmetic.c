// -fsanitize=signed-integer-overflow with traps: the check is a condition.
// args: abcd
// cc: -fsanitize=signed-integer-overflow -fsanitize-trap=all
int main(int argc, char **argv) {
    int a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (a + 1000 == 0x64636649) //~ branch: arg[1][0..4]:u32 == 0x64636261
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
