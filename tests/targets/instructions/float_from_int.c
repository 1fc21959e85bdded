// Signed and unsigned integers to floats and doubles.
// args: abcd
int main(int argc, char **argv) {
    int a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if ((double)a * 0.5 != 842117424.5)
        return 1;
    if ((float)(unsigned)a == 1684234880.0f)
        return 0;
    return 2;
}
