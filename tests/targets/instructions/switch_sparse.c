// A switch over values far apart.
// args: abcd
int main(int argc, char **argv) {
    int a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    switch (a) { //~ switch: arg[1][0..4]:u32 == 0x64636261
    case 7:
        return 1;
    case 0x64636261:
        return 0;
    case -9000:
        return 2;
    }
    return 3;
}

//~ sources: arg[1](4)
//~ no-loss
