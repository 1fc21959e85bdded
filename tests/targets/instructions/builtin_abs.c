// __builtin_abs has no branch.
// args: a
int main(int argc, char **argv) {
    int size = __builtin_abs(argv[1][0] - 'c');
    if (size == 2) //~ branch: ((int32)((int8)arg[1][0] - 'c') < 0 ? 'c' - (int8)arg[1][0] : (int8)arg[1][0] - 'c') == 2
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
