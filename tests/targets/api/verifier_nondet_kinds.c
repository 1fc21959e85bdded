// __VERIFIER_nondet_* of other types.

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    if (__VERIFIER_nondet_uchar() > 200)
        return 1;
    if (__VERIFIER_nondet_bool())
        return 2;
    if (__VERIFIER_nondet_ulong() == 99)
        return 3;
    if (__VERIFIER_nondet_double() > 0.5)
        return 4;
    return 0;
}
