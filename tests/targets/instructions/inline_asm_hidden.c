// An empty statement that hides a value from the optimiser passes it on.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0];
    __asm__("" : "+r"(n));
    if (n == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
