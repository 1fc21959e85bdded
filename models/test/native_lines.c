// fgets, getline, getdelim: the models against glibc, byte by byte from a stream that "is" an input source and from
// one that is not.
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "native.h"

char *m_fgets(char *, int, FILE *);
char *m___fgets_chk(char *, size_t, int, FILE *);
ssize_t m_getline(char **, size_t *, FILE *);
ssize_t m_getdelim(char **, size_t *, int, FILE *);

static int is_input;

int __off_stream_is_input(FILE *f) {
    (void)f;
    return is_input;
}

ssize_t __off_concrete_line(char *to, size_t room, FILE *f) {
    size_t n = 0;
    int c;
    while (n < room && (c = getc_unlocked(f)) != EOF) {
        to[n++] = (char)c;
        if (c == '\n') {
            break;
        }
    }
    return (ssize_t)n;
}

void __off_block_moved(void *old, void *new, size_t size) {
    (void)old, (void)new, (void)size;
}

int m_getc_unlocked(FILE *f) {
    return getc_unlocked(f);
}

int m_ungetc(int c, FILE *f) {
    return ungetc(c, f);
}

void *m_realloc(void *p, size_t n) {
    return realloc(p, n);
}

static void check(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "%s differs\n", what);
        failed();
    }
}

static FILE *content(const char *bytes, size_t n) {
    FILE *f = tmpfile();
    fwrite(bytes, 1, n, f);
    rewind(f);
    return f;
}

static void strings(const char *bytes, size_t n) {
    FILE *f = content(bytes, n), *g = content(bytes, n);
    for (int i = 0; i < 30; i++) {
        char a[64], b[64];
        memset(a, 'z', sizeof a);
        memset(b, 'z', sizeof b);
        int room = (int)random_below(20) - 1;
        char *r = random_below(2) ? m_fgets(a, room, f) : m___fgets_chk(a, sizeof a, room, f);
        char *s = fgets(b, room, g);
        check((r == a) == (s == b) && !memcmp(a, b, sizeof a), "fgets");
        check(ftell(f) == ftell(g) && feof(f) == feof(g) && ferror(f) == ferror(g), "fgets: stream");
    }
    fclose(f);
    fclose(g);
}

static void blocks(const char *bytes, size_t n) {
    FILE *f = content(bytes, n), *g = content(bytes, n);
    char *a = NULL, *b = NULL;
    size_t an = 0, bn = 0;
    for (int i = 0; i < 30; i++) {
        int delimiter = random_below(4) ? '\n' : "a\0b\xff"[random_below(4)];
        ssize_t r = m_getdelim(&a, &an, delimiter, f), s = getdelim(&b, &bn, delimiter, g);
        check(r == s && an >= (size_t)(r + 1), "getdelim");
        check(r < 0 || !memcmp(a, b, (size_t)r + 1), "getdelim: bytes");
        check(ftell(f) == ftell(g) && feof(f) == feof(g), "getdelim: stream");
    }
    free(a);
    free(b);
    errno = 0;
    check(m_getline(NULL, &an, f) == -1 && errno == EINVAL, "getline without a place");
    fclose(f);
    fclose(g);
}

int main(void) {
    for (int i = 0; i < 2000; i++) {
        char bytes[600];
        size_t n = random_below(sizeof bytes);
        unsigned lines = 1 + random_below(200);
        for (size_t k = 0; k < n; k++) {
            bytes[k] = random_below(lines) ? "abc\0 \xff"[random_below(6)] : '\n';
        }
        is_input = i % 2;
        strings(bytes, n);
        blocks(bytes, n);
    }
    // A stream that cannot be read.
    FILE *f = fopen("/dev/null", "w"), *g = fopen("/dev/null", "w");
    char a[8] = "x", b[8] = "x";
    for (is_input = 0; is_input < 2; is_input++) {
        errno = 0;
        char *r = m_fgets(a, 8, f);
        int e = errno;
        errno = 0;
        char *s = fgets(b, 8, g);
        check(!r && !s && e == errno && ferror(f) && ferror(g) && !memcmp(a, b, 8), "fgets of a closed door");
    }
    fprintf(stderr, "lines: %d failures\n", failures);
    return failures != 0;
}
