// __VERIFIER_assume.

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 100);
    if (n == 50)
        return 1;
    return 0;
}
