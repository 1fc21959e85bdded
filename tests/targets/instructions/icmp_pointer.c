// Comparison of pointers.
// args: 3xyz
int main(int argc, char **argv) {
    const char *p = argv[1], *end = argv[1] + (argv[1][0] - '0');
    int n = 0;
    while (p < end) {
    //~ branch: (int8)arg[1][0] + ADDRESS > ADDRESS ×3
    //~ branch: (int8)arg[1][0] + ADDRESS <= ADDRESS
        p++;
        n++;
    }
    return n - 3;
}

//~ sources: arg[1](4)
//~ no-loss
