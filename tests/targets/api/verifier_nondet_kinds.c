// __VERIFIER_nondet_* of other types.

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    if (__VERIFIER_nondet_uchar() > 200) //~ branch: nondet:uchar#0[0] <= 200
        return 1;
    if (__VERIFIER_nondet_bool()) //~ branch: nondet:bool#0[0] == 0
        return 2;
    if (__VERIFIER_nondet_ulong() == 99) //~ branch: nondet:ulong#0[0..8]:u64 != 99
        return 3;
    if (__VERIFIER_nondet_double() > 0.5) //~ branch: !(nondet:double#0[0..8]:u64 > 0.5)
        return 4;
    return 0;
}

//~ sources: nondet:uchar#0(1) nondet:bool#0(1) nondet:ulong#0(8) nondet:double#0(8)
//~ no-loss
