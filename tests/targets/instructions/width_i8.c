// Arithmetic in 8 bits.
// args: ab
int main(int argc, char **argv) {
    unsigned char a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    unsigned char sum = a + b;
    if (sum == 195) //~ branch: arg[1][1] + arg[1][0] == 195
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
