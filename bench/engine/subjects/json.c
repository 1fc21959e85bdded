// A JSON parser: builds a tree, counts it, frees it. Recursive descent, one byte at a time.
#include "input.h"
#include <string.h>

enum kind { NUL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT };

struct value {
    enum kind kind;
    double number;
    char *text;
    size_t length;
    struct value *first, *next;
    char *key;
};

struct parser {
    const unsigned char *at, *end;
    int depth;
    const char *error;
};

static struct value *parse_value(struct parser *p);

static void skip_space(struct parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r')) {
        p->at++;
    }
}

static struct value *fail(struct parser *p, const char *why) {
    if (!p->error) {
        p->error = why;
    }
    return NULL;
}

static void release(struct value *v) {
    while (v) {
        struct value *next = v->next;
        release(v->first);
        free(v->text);
        free(v->key);
        free(v);
        v = next;
    }
}

static int hex_digit(int c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

static char *put_utf8(char *to, unsigned code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

static char *parse_string(struct parser *p, size_t *length) {
    const unsigned char *start = ++p->at;
    size_t room = 1;
    for (const unsigned char *c = start; c < p->end && *c != '"'; c++, room++) {
        if (*c == '\\' && c + 1 < p->end) {
            c++;
        }
    }
    char *text = malloc(room + 1), *to = text;
    if (!text) {
        fail(p, "out of memory");
        return NULL;
    }
    while (p->at < p->end && *p->at != '"') {
        unsigned char c = *p->at++;
        if (c < 0x20) {
            free(text);
            fail(p, "control character in a string");
            return NULL;
        }
        if (c != '\\') {
            *to++ = (char)c;
            continue;
        }
        c = p->at < p->end ? *p->at++ : 0;
        switch (c) {
        case '"': *to++ = '"'; break;
        case '\\': *to++ = '\\'; break;
        case '/': *to++ = '/'; break;
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'n': *to++ = '\n'; break;
        case 'r': *to++ = '\r'; break;
        case 't': *to++ = '\t'; break;
        case 'u': {
            unsigned code = 0;
            for (int i = 0; i < 4; i++) {
                int digit = p->at < p->end ? hex_digit(*p->at++) : -1;
                if (digit < 0) {
                    free(text);
                    fail(p, "bad \\u escape");
                    return NULL;
                }
                code = code * 16 + (unsigned)digit;
            }
            to = put_utf8(to, code);
            break;
        }
        default:
            free(text);
            fail(p, "bad escape");
            return NULL;
        }
    }
    if (p->at >= p->end) {
        free(text);
        fail(p, "string without an end");
        return NULL;
    }
    p->at++;
    *to = 0;
    *length = (size_t)(to - text);
    return text;
}

static struct value *new_value(enum kind kind) {
    struct value *v = calloc(1, sizeof *v);
    if (v) {
        v->kind = kind;
    }
    return v;
}

static struct value *parse_number(struct parser *p) {
    int negative = 0, digits = 0, exponent = 0, exponent_sign = 1, scale = 0;
    double number = 0;
    if (*p->at == '-') {
        negative = 1;
        p->at++;
    }
    if (p->at < p->end && *p->at == '0') {
        p->at++;
        digits = 1;
    } else {
        while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
            number = number * 10 + (*p->at++ - '0');
            digits++;
        }
    }
    if (!digits) {
        return fail(p, "number without digits");
    }
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        digits = 0;
        while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
            number = number * 10 + (*p->at++ - '0');
            scale--;
            digits++;
        }
        if (!digits) {
            return fail(p, "fraction without digits");
        }
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        if (p->at < p->end && (*p->at == '+' || *p->at == '-')) {
            exponent_sign = *p->at++ == '-' ? -1 : 1;
        }
        digits = 0;
        while (p->at < p->end && *p->at >= '0' && *p->at <= '9' && exponent < 400) {
            exponent = exponent * 10 + (*p->at++ - '0');
            digits++;
        }
        if (!digits) {
            return fail(p, "exponent without digits");
        }
    }
    for (scale += exponent * exponent_sign; scale > 0; scale--) {
        number *= 10;
    }
    for (; scale < 0; scale++) {
        number /= 10;
    }
    struct value *v = new_value(NUMBER);
    if (v) {
        v->number = negative ? -number : number;
    }
    return v;
}

static struct value *parse_word(struct parser *p, const char *word, enum kind kind, double number) {
    for (; *word; word++, p->at++) {
        if (p->at >= p->end || *p->at != (unsigned char)*word) {
            return fail(p, "unknown word");
        }
    }
    struct value *v = new_value(kind);
    if (v) {
        v->number = number;
    }
    return v;
}

static struct value *parse_members(struct parser *p, enum kind kind) {
    unsigned char close = kind == ARRAY ? ']' : '}';
    struct value *v = new_value(kind), **tail;
    if (!v) {
        return fail(p, "out of memory");
    }
    tail = &v->first;
    p->at++;
    skip_space(p);
    if (p->at < p->end && *p->at == close) {
        p->at++;
        return v;
    }
    for (;;) {
        char *key = NULL;
        skip_space(p);
        if (kind == OBJECT) {
            size_t length;
            if (p->at >= p->end || *p->at != '"' || !(key = parse_string(p, &length))) {
                release(v);
                return fail(p, "member without a name");
            }
            skip_space(p);
            if (p->at >= p->end || *p->at++ != ':') {
                free(key);
                release(v);
                return fail(p, "member without a colon");
            }
        }
        struct value *member = parse_value(p);
        if (!member) {
            free(key);
            release(v);
            return NULL;
        }
        member->key = key;
        *tail = member;
        tail = &member->next;
        skip_space(p);
        if (p->at < p->end && *p->at == ',') {
            p->at++;
            continue;
        }
        if (p->at < p->end && *p->at == close) {
            p->at++;
            return v;
        }
        release(v);
        return fail(p, "neither a comma nor the end");
    }
}

static struct value *parse_value(struct parser *p) {
    struct value *v;
    skip_space(p);
    if (p->at >= p->end) {
        return fail(p, "nothing here");
    }
    if (++p->depth > 200) {
        return fail(p, "too deep");
    }
    switch (*p->at) {
    case '{': v = parse_members(p, OBJECT); break;
    case '[': v = parse_members(p, ARRAY); break;
    case '"': {
        size_t length;
        char *text = parse_string(p, &length);
        v = text ? new_value(STRING) : NULL;
        if (v) {
            v->text = text;
            v->length = length;
        }
        break;
    }
    case 't': v = parse_word(p, "true", BOOLEAN, 1); break;
    case 'f': v = parse_word(p, "false", BOOLEAN, 0); break;
    case 'n': v = parse_word(p, "null", NUL, 0); break;
    default:
        v = *p->at == '-' || (*p->at >= '0' && *p->at <= '9') ? parse_number(p) : fail(p, "not a value");
    }
    p->depth--;
    return v;
}

static size_t count(const struct value *v) {
    size_t n = 0;
    for (; v; v = v->next) {
        n += 1 + count(v->first);
    }
    return n;
}

int main(int argc, char **argv) {
    read_input(argc, argv);
    size_t values = 0;
    const char *error = NULL;
    for (int i = 0; i < repetitions; i++) {
        struct parser p = {input, input + input_size, 0, NULL};
        struct value *v = parse_value(&p);
        skip_space(&p);
        if (v && p.at != p.end) {
            p.error = "more behind the value";
        }
        values += count(v);
        error = p.error;
        release(v);
    }
    printf("%zu values%s%s\n", values, error ? ", " : "", error ? error : "");
    return error != NULL;
}
