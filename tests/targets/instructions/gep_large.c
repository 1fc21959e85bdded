// A table beyond the size that is kept as a term: the loss is stated.
// args: ab

int table[65536];

int main(int argc, char **argv) {
    unsigned short i;
    __builtin_memcpy(&i, argv[1], sizeof i);
    if (table[i] == 0)
        return 0;
    return 1;
}
