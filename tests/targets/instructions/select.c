// The conditional operator is a condition.
// args: a
int main(int argc, char **argv) {
    int limit = argv[1][0] == 'a' ? 3 : 7; //~ branch: arg[1][0] == 'a'
    return limit - 3;
}

//~ sources: arg[1](1)
//~ no-loss
