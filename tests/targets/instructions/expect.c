// __builtin_expect does not hide the condition.
// args: a
int main(int argc, char **argv) {
    if (__builtin_expect(argv[1][0] == 'a', 0)) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
