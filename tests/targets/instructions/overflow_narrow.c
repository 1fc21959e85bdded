// An overflow check into a narrow type.
// args: ab
int main(int argc, char **argv) {
    unsigned char sum;
    if (__builtin_add_overflow((unsigned char)argv[1][0], (unsigned char)argv[1][1], &sum))
    //~ branch: arg[1][0] <= arg[1][0] + arg[1][1]
        return 1;
    if (sum == 195) //~ branch: arg[1][0] + arg[1][1] == 195
        return 0;
    return 2;
}

//~ sources: arg[1](2)
//~ no-loss
