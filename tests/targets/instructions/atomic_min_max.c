// Atomic minimum and maximum.
// args: ab
int main(int argc, char **argv) {
    int n = argv[1][0];
    __atomic_fetch_max(&n, argv[1][1], __ATOMIC_SEQ_CST);
    __atomic_fetch_min(&n, 'z', __ATOMIC_SEQ_CST);
    if (n == 'b')
        return 0;
    return 1;
}
