// __builtin_object_size and __builtin_constant_p.
// args: a
int main(int argc, char **argv) {
    char buffer[12];
    if (__builtin_object_size(buffer, 0) != 12 || __builtin_constant_p(argv[1][0]))
        return 1;
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 2;
}

//~ sources: arg[1](1)
//~ no-loss
