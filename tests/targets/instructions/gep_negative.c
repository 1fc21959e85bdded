// A negative symbolic offset from the end.
// args: 3

static const char table[9] = "vwxyyzzz";

int main(int argc, char **argv) {
    const char *end = table + 8;
    if (end[-(argv[1][0] - '0')] == 'z')
    //~ access: ADDRESS - (int8)arg[1][0]; read of 1 bytes at offset 5 of global table of 9 bytes
    //~ branch: table0<9>['8' - (int8)arg[1][0]] == 'z'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
