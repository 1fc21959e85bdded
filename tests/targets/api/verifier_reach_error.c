// reach_error of the runtime ends the run.
// exit: signal 6

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0)
        reach_error();
    return 0;
}
