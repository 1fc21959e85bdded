// A comparison kept in a bool.
// args: ab
int main(int argc, char **argv) {
    _Bool is_a = argv[1][0] == 'a', is_b = argv[1][1] == 'b';
    _Bool both = is_a & is_b;
    if (both) //~ branch: arg[1][1] == 'b' && arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
