// An empty statement as a barrier loses nothing.
// args: a
int main(int argc, char **argv) {
    int n = argv[1][0];
    __asm__ volatile("" ::: "memory");
    if (n == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
