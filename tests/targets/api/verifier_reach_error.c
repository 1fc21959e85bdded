// reach_error of the runtime ends the run.
// exit: signal 6

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0) //~ branch: nondet:int#0[0..4]:u32 == 0
        reach_error(); //~ assert: failed
    return 0;
}

//~ sources: nondet:int#0(4)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
