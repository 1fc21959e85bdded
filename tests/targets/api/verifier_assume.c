// __VERIFIER_assume.

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 100);
    //~ branch: (int32)nondet:int#0[0..4]:u32 > -1
    //~ branch: (int32)nondet:int#0[0..4]:u32 < 100
    if (n == 50) //~ branch: nondet:int#0[0..4]:u32 != 50
        return 1;
    return 0;
}

//~ sources: nondet:int#0(4)
//~ no-loss
