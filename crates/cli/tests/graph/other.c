static int same(int n) {
    if (n == 5)                        // 2
        return 0;
    return n;
}

int other(int n) {
    return same(n);
}
