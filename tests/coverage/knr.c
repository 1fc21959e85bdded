// flags: -std=gnu89 -Wno-deprecated-non-prototype
// run: 1 2
// run: 2 1
extern int atoi();

int
larger(a, b)
    int a;
    int b;
{
    if (a > b && a)
        return a;
    return b;
}

int
main(argc, argv)
    int argc;
    char **argv;
{
    return larger(atoi(argv[1]), atoi(argv[2]));
}
