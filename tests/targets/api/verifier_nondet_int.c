// __VERIFIER_nondet_int, twice.

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > b)
        return 1;
    return 0;
}
