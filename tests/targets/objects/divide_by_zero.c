// Division by zero: the event comes before the crash.
// args: a
// exit: signal 8
int main(int argc, char **argv) {
    volatile int d = argv[1][0] - 'a';
    return 100 / d; //~ divide: (int8)arg[1][0] - 'a'; signed
}

//~ sources: arg[1](1)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
