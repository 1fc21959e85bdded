// A condition moved out of a loop, which the optimiser freezes.
// args: a3
// flags: -O0
// flags: -O2
// flags: -O3

__attribute__((noinline)) static int side(int i) {
    return i & 1;
}

int main(int argc, char **argv) {
    int n = 0, flag = argv[1][0] == 'a', limit = argv[1][1] - '0';
    for (int i = 0; i < limit; i++) {
    //~ branch: (int8)arg[1][1] > '0'
    //~ branch: (int32)((int8)arg[1][1] - '0') > 1
    //~ branch: (int32)((int8)arg[1][1] - '0') > 2
    //~ branch: (int32)((int8)arg[1][1] - '0') <= 3
        if (i > 1 && flag) //~ branch: arg[1][0] == 'a'
            n += 2;
        else
            n += side(i);
    }
    return n - 3;
}

//~ sources: arg[1](2)
//~ no-loss
