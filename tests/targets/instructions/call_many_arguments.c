// Arguments beyond the registers.
// args: ab

__attribute__((noinline)) static int ninth(int a, int b, int c, int d, int e, int f, int g, char h, char i) {
    return i - h + a - a + b - b + c - c + d - d + e - e + f - f + g - g;
}

int main(int argc, char **argv) {
    if (ninth(1, 2, 3, 4, 5, 6, 7, argv[1][0], argv[1][1]) == 'b' - 'a')
    //~ branch: (int8)arg[1][1] - (int8)arg[1][0] == 1
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
