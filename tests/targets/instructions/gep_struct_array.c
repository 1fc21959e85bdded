// A field of a structure in an array.
// args: b

static const struct {
    char name[3];
    int value;
} table[4] = {{"aa", 10}, {"bb", 20}, {"cc", 30}};

int main(int argc, char **argv) {
    int i = argv[1][0] - 'a';
    if (table[i].value == 20) //~ branch: arg[1][0] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
