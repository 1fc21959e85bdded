#define VALID(p) ((p) != 0 && *(p) != 0)
#define FIRST_IS(p, c) (VALID(p) && (p)[0] == (c))
#define REPORT(c)                                                                                                      \
    do {                                                                                                               \
        if (c)                                                                                                         \
            failures++;                                                                                                \
    } while (0)
