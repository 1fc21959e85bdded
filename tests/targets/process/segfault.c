// A crash keeps the trace up to it.
// args: ab
// exit: signal 11
int main(int argc, char **argv) {
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        *(volatile int *)8 = argv[1][1];
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
