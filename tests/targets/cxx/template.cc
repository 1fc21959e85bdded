// Templates and lambdas.
// args: a

template <typename F, typename T>
static T apply(F f, T value) {
    return f(value);
}

int main(int argc, char **argv) {
    auto twice = [](auto n) { return n + n; };
    if (apply(twice, (long)argv[1][0]) == 194) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
