// Assignment of a structure.
// args: ab

struct record {
    int key;
    char text[20];
    struct record *next;
};

int main(int argc, char **argv) {
    struct record a, b;
    a.key = argv[1][0];
    a.text[9] = argv[1][1];
    a.next = &b;
    b = a;
    if (b.key == 'a' && b.text[9] == 'b')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
