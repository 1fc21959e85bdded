// A byte stored into a symbolic word.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    ((char *)&a)[1] = 'z';
    if (a == 0x64637a61) //~ branch: concat(arg[1][2..4]:u16, arg[1][0]) == 0x64630061
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
