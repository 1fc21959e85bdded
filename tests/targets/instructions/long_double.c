// Arithmetic in long double is not modelled: the loss is stated.
// args: a
int main(int argc, char **argv) {
    long double x = argv[1][0]; //~ loss: instruction without a model/stof
    if (x / 3 > 30)
        return 0;
    return 1;
}

//~ sources: arg[1](1)
