// Negation flips the sign only.
// args: abcd
int main(int argc, char **argv) {
    float a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (-a < 0) //~ branch: arg[1][0..4]:u32 > 0.0f
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
