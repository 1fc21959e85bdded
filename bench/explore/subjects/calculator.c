// Sums, products and brackets over small numbers, by recursive descent.
#include <unistd.h>

enum { LENGTH = 5, DEEPEST = 16 };

struct parser {
    const char *at, *end;
    int depth, failed;
};

static int sum(struct parser *p);

static int peek(struct parser *p) { return p->at < p->end ? *p->at : 0; }

static int fail(struct parser *p) {
    p->failed = 1;
    return 0;
}

static int atom(struct parser *p) {
    if (peek(p) == '(') {
        p->at++;
        if (++p->depth > DEEPEST) // longer than the text
            return fail(p);
        int value = sum(p);
        p->depth--;
        if (peek(p) != ')')
            return fail(p);
        p->at++;
        return value;
    }
    if (peek(p) == '-') {
        p->at++;
        return -atom(p);
    }
    if (peek(p) < '0' || peek(p) > '9')
        return fail(p);
    int value = 0;
    while (peek(p) >= '0' && peek(p) <= '9')
        value = 10 * value + (*p->at++ - '0');
    return value;
}

static int product(struct parser *p) {
    int value = atom(p);
    while (!p->failed && (peek(p) == '*' || peek(p) == '/')) {
        char operation = *p->at++;
        int right = atom(p);
        if (operation == '*')
            value *= right;
        else if (right == 0)
            return fail(p);
        else
            value /= right;
    }
    return value;
}

static int sum(struct parser *p) {
    int value = product(p);
    while (!p->failed && (peek(p) == '+' || peek(p) == '-')) {
        char operation = *p->at++;
        int right = product(p);
        value = operation == '+' ? value + right : value - right;
    }
    return value;
}

int main(void) {
    char text[LENGTH];
    if (read(0, text, LENGTH) != LENGTH)
        return 1;
    struct parser p = {text, text + LENGTH, 0, 0};
    int value = sum(&p);
    if (p.failed || p.at != p.end)
        return 2;
    return value == 42 ? 3 : 0;
}
