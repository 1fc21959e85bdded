// A signed division: the divisor is an event.
// args: a
int main(int argc, char **argv) {
    int d = argv[1][0] - 'a';
    if (100 / (d + 4) == 25)
    //~[O0] divide: (int8)arg[1][0] - ']'; signed
    //~[O0] branch: 100 / (int32)((int8)arg[1][0] - ']') == 25
    //~[O2] divide: (int8)arg[1][0] - ']'; signed
    //~[O2] branch: 100 / (int16)((int8)arg[1][0] - ']') == 25
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
