// Multiplication and division of floats.
// args: abcdefgh
int main(int argc, char **argv) {
    float a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a * b > 0) //~ branch: arg[1][0..4]:u32 * arg[1][4..8]:u32 > 0.0f
        return a / b > 1;
    return 2;
}

//~ sources: arg[1](8)
//~ no-loss
