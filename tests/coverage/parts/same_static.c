static int helper(int x) {
    return x > 3 && x < 6;
}

int same_static(int x) {
    return helper(x);
}
