// The object of an element inside a structure is the whole stack object.
// args: 3
int main(int argc, char **argv) {
    struct {
        int before;
        short items[6];
        int after;
    } s;
    for (int i = 0; i < 6; i++)
        s.items[i] = i * argc;
    if (s.items[argv[1][0] - '0'] == 6)
        return 0;
    return 1;
}
