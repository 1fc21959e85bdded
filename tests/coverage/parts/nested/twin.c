static int twin(int x) {
    return x > 1 && x < 3;
}

int twin_two(int x) {
    return twin(x) + twin(x + 1);
}
