// Saturating addition and subtraction.
// args: ab
int main(int argc, char **argv) {
    unsigned char a = argv[1][0], b = argv[1][1];
    if (__builtin_elementwise_add_sat(a, (unsigned char)200) != 255)
        return 1;
    if (__builtin_elementwise_sub_sat(a, b) == 0)
        return 0;
    return 2;
}
