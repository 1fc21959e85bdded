static int twin(int x) {
    return x > 1 && x < 3;
}

int twin_one(int x) {
    return twin(x);
}
