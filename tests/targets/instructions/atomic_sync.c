// The older __sync builtins.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0];
    __sync_add_and_fetch(&n, 2);
    __sync_bool_compare_and_swap(&n, 'c', 'q'); //~ derived: arg[1][0] == 'a'
    if (n == 'q')
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
