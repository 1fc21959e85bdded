// Each translation unit compiles these for itself.
#ifndef RANGE_H
#define RANGE_H

#define IN_RANGE(x) ((x) >= 2 && (x) <= 8)

static inline int in_range(int x) {
    if (x < 2 || x > 8)
        return 0;
    return 1;
}

static inline int unused_everywhere(int x) {
    return x && x > 3;
}

static inline int used_in_one(int x) {
    return IN_RANGE(x) || x == 100;
}

inline int external_inline(int x) {
    return x > 4 || x == 1 ? 1 : 0;
}

#endif
