// Two values swapped in each round.
// args: ab
int main(int argc, char **argv) {
    int a = argv[1][0], b = argv[1][1];
    for (int i = 0; i < 5; i++) {
        int c = a;
        a = b;
        b = c + 1;
    }
    if (a == 'd' && b == 'd')
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
