// Signed and unsigned integers to floats and doubles.
// args: abcd
int main(int argc, char **argv) {
    int a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if ((double)a * 0.5 != 842117424.5)
    //~ branch: !(unordered((double)arg[1][0..4]:u32 * 0.5, 0x41c918d898400000) || ((double)arg[1][0..4]:u32 * 0.5 > 842117424.5 || (double)arg[1][0..4]:u32 * 0.5 < 842117424.5))
        return 1;
    if ((float)(unsigned)a == 1684234880.0f) //~ branch: (float)arg[1][0..4]:u32 == 1684234900.0f
        return 0;
    return 2;
}

//~ sources: arg[1](4)
//~ no-loss
