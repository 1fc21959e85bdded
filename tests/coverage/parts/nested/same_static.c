// Same base name and same static function as the file one up, with another body.
static int helper(int x) {
    if (x == 3)
        return 4;
    return x || x > 8;
}

int nested_static(int x) {
    return helper(x);
}
