// fmod without errno is an instruction.
// args: a
// cc: -fno-math-errno -lm
int main(int argc, char **argv) {
    double a = argv[1][0];
    if (__builtin_fmod(a, 10.0) == 7)
        return 0;
    return 1;
}
