// __VERIFIER_nondet_int, twice.

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > b) //~ branch: (int32)nondet:int#0[0..4]:u32 <= (int32)nondet:int#1[0..4]:u32
        return 1;
    return 0;
}

//~ sources: nondet:int#0(4) nondet:int#1(4)
//~ no-loss
