// Flags that cannot live with the instrumentation are left out.
// args: a
// cc: -fsanitize=undefined -fprofile-arcs -pg
int main(int argc, char **argv) {
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
