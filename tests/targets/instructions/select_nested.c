// A chain of conditional operators.
// args: b
int main(int argc, char **argv) {
    char c = argv[1][0];
    int kind = c < '0' ? 0 : c <= '9' ? 1 : c < 'A' ? 2 : 3;
    //~ branch: (int8)arg[1][0] >= '0'
    //~ branch: (int8)arg[1][0] >= ':'
    //~ branch: (int8)arg[1][0] >= 'A'
    return kind - 3;
}

//~ sources: arg[1](1)
//~ no-loss
