// A field of a structure in an array.
// args: b

struct {
    char name[3];
    int value;
} table[4] = {{"aa", 10}, {"bb", 20}, {"cc", 30}};

int main(int argc, char **argv) {
    int i = argv[1][0] - 'a';
    if (table[i].value == 20)
        return 0;
    return 1;
}
