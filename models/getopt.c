// getopt.h: options of a command line, with permutation, long options and abbreviations.
#include "model.h"

#include <getopt.h>
#include <stdio.h>

RAW(char *, getenv, (const char *));
RAW(int, fprintf, (FILE *, const char *, ...));

enum order { PERMUTE, STOP_AT_OPERAND, OPERANDS_IN_ORDER };

// Between two calls. The state is the model's own, so that there is no concrete fast path: it would have another one.
static struct {
    int ready;
    // What optopt and, without any word, optarg are set to by each call.
    int option;
    char *argument;
    enum order order;
    // The rest of a word with several short options.
    char *next;
    // argv[first .. last) are operands that were skipped.
    int first, last;
} state;

// One call.
struct scan {
    int argc;
    char **argv;
    const char *options;
    const struct option *longs;
    int *index;
    int long_only;
    int quiet;
};

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != 0) {
        n++;
    }
    return n;
}

static const char *find(const char *s, char c) {
    for (;; s++) {
        if (*s == c) {
            return s;
        }
        if (*s == 0) {
            return 0;
        }
    }
}

// Does name start with these n bytes?
static int starts(const char *name, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (name[i] != bytes[i]) {
            return 0;
        }
    }
    return 1;
}

static int operand(const char *word) {
    return word[0] != '-' || word[1] == 0;
}

static void reverse(char **words, int from, int to) {
    while (from < to - 1) {
        char *w = words[from];
        words[from++] = words[--to];
        words[to] = w;
    }
}

// Moves the operands that were skipped behind the options that followed them.
static void exchange(char **argv) {
    reverse(argv, state.first, state.last);
    reverse(argv, state.last, optind);
    reverse(argv, state.first, optind);
    state.first += optind - state.last;
    state.last = optind;
}

static int missing(const struct scan *s) {
    return s->options[0] == ':' ? ':' : '?';
}

static void complain_char(const struct scan *s, const char *message, char c) {
    // As a string: the byte may be symbolic, its address is not.
    const char text[2] = {c, 0};
    if (!s->quiet) {
        raw_fprintf(stderr, "%s: %s -- '%s'\n", s->argv[0], message, text);
    }
}

static void complain_long(const struct scan *s, const char *prefix, const char *name, const char *message) {
    if (!s->quiet) {
        raw_fprintf(stderr, "%s: option '%s%s' %s\n", s->argv[0], prefix, name, message);
    }
}

static int rivals(const struct scan *s, const struct option *a, const struct option *b) {
    return s->long_only || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

// The word at state.next is a long option behind this prefix. Gives -1 if it is to be read as short options.
static int long_option(const struct scan *s, const char *prefix) {
    char *word = state.next;
    size_t n = 0;
    while (word[n] != 0) {
        if (word[n] == '=') {
            break;
        }
        n++;
    }
    const struct option *option = 0, *o;
    int ambiguous = 0;
    for (o = s->longs; o->name; o++) {
        if (starts(o->name, word, n) && o->name[n] == 0) {
            option = o;
            break;
        }
    }
    if (!option) {
        for (o = s->longs; o->name; o++) {
            if (starts(o->name, word, n)) {
                if (!option) {
                    option = o;
                } else if (rivals(s, option, o)) {
                    ambiguous = 1;
                }
            }
        }
    }
    if (ambiguous) {
        if (!s->quiet) {
            raw_fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", s->argv[0], prefix, word);
            for (o = option; o->name; o++) {
                if (o == option || (starts(o->name, word, n) && rivals(s, option, o))) {
                    raw_fprintf(stderr, " '%s%s'", prefix, o->name);
                }
            }
            raw_fprintf(stderr, "\n");
        }
        state.next = word + length(word);
        optind++;
        state.option = 0;
        return '?';
    }
    if (!option) {
        if (s->long_only && s->argv[optind][1] != '-' && find(s->options, *word)) {
            return -1;
        }
        if (!s->quiet) {
            raw_fprintf(stderr, "%s: unrecognized option '%s%s'\n", s->argv[0], prefix, word);
        }
        state.next = 0;
        optind++;
        state.option = 0;
        return '?';
    }
    state.next = 0;
    optind++;
    if (word[n] != 0) {
        if (option->has_arg == no_argument) {
            complain_long(s, prefix, option->name, "doesn't allow an argument");
            state.option = option->val;
            return '?';
        }
        optarg = word + n + 1;
    } else if (option->has_arg == required_argument) {
        if (optind >= s->argc) {
            complain_long(s, prefix, option->name, "requires an argument");
            state.option = option->val;
            return missing(s);
        }
        optarg = s->argv[optind++];
    }
    if (s->index) {
        *s->index = (int)(option - s->longs);
    }
    if (option->flag) {
        *option->flag = option->val;
        return 0;
    }
    return option->val;
}

static int short_option(const struct scan *s) {
    char c = *state.next++;
    const char *o = find(s->options, c);
    if (*state.next == 0) {
        optind++;
    }
    if (!o || c == ':' || c == ';') {
        complain_char(s, "invalid option", c);
        state.option = c;
        return '?';
    }
    int long_follows = o[0] == 'W' && o[1] == ';' && s->longs;
    // From here on c is *o, which is not symbolic.
    c = *o;
    if (!long_follows && o[1] != ':') {
        return c;
    }
    if (!long_follows && o[2] == ':') {
        // An optional argument is in the same word or not there.
        if (*state.next != 0) {
            optarg = state.next;
            optind++;
        }
        state.next = 0;
        return c;
    }
    if (*state.next == 0 && optind == s->argc) {
        complain_char(s, "option requires an argument", c);
        state.option = c;
        if (!long_follows) {
            state.next = 0;
        }
        return missing(s);
    }
    if (long_follows) {
        if (*state.next == 0) {
            state.next = s->argv[optind];
        }
        struct scan as_long = *s;
        as_long.long_only = 0;
        return long_option(&as_long, "-W ");
    }
    if (*state.next != 0) {
        optarg = state.next;
        optind++;
    } else {
        optarg = s->argv[optind++];
    }
    state.next = 0;
    return c;
}

// Goes to the next word with options. Gives 0 if there is one, else what getopt returns.
static int next_word(const struct scan *s) {
    if (state.last > optind) {
        state.last = optind;
    }
    if (state.first > optind) {
        state.first = optind;
    }
    if (state.order == PERMUTE) {
        if (state.first != state.last && state.last != optind) {
            exchange(s->argv);
        } else if (state.last != optind) {
            state.first = optind;
        }
        while (optind < s->argc && operand(s->argv[optind])) {
            optind++;
        }
        state.last = optind;
    }
    if (optind != s->argc) {
        const char *word = s->argv[optind];
        if (word[0] == '-' && word[1] == '-' && word[2] == 0) {
            // All that follows are operands.
            optind++;
            if (state.first != state.last && state.last != optind) {
                exchange(s->argv);
            } else if (state.first == state.last) {
                state.first = optind;
            }
            state.last = s->argc;
            optind = s->argc;
        }
    }
    if (optind == s->argc) {
        if (state.first != state.last) {
            optind = state.first;
        }
        return -1;
    }
    if (operand(s->argv[optind])) {
        if (state.order == STOP_AT_OPERAND) {
            return -1;
        }
        optarg = s->argv[optind++];
        return 1;
    }
    return 0;
}

static int scan(struct scan *s, int posix) {
    s->quiet = !opterr;
    if (s->argc < 1) {
        optarg = state.argument;
        return -1;
    }
    optarg = 0;
    char mode = s->options[0];
    if (optind == 0 || !state.ready) {
        if (optind == 0) {
            optind = 1;
        }
        state.first = state.last = optind;
        state.next = 0;
        if (mode == '-') {
            state.order = OPERANDS_IN_ORDER;
        } else if (mode == '+' || posix || raw_getenv("POSIXLY_CORRECT")) {
            state.order = STOP_AT_OPERAND;
        } else {
            state.order = PERMUTE;
        }
        state.ready = 1;
    }
    if (mode == '-' || mode == '+') {
        s->options++;
    }
    if (s->options[0] == ':') {
        s->quiet = 1;
    }
    if (!state.next || *state.next == 0) {
        int r = next_word(s);
        if (r != 0) {
            return r;
        }
        char *word = s->argv[optind];
        if (s->longs) {
            if (word[1] == '-') {
                state.next = word + 2;
                return long_option(s, "--");
            }
            if (s->long_only && (word[2] != 0 || !find(s->options, word[1]))) {
                state.next = word + 1;
                r = long_option(s, "-");
                if (r != -1) {
                    return r;
                }
            }
        }
        state.next = word + 1;
    }
    return short_option(s);
}

static int start(struct scan s, int posix) {
    int r = scan(&s, posix);
    state.argument = optarg;
    optopt = state.option;
    return r;
}

MODEL(int, getopt)(int argc, char *const *argv, const char *options) {
    return start((struct scan){.argc = argc, .argv = (char **)(uintptr_t)argv, .options = options}, 0);
}

// What getopt means to a program that asks for POSIX only.
MODEL(int, __posix_getopt)(int argc, char *const *argv, const char *options) {
    return start((struct scan){.argc = argc, .argv = (char **)(uintptr_t)argv, .options = options}, 1);
}

MODEL(int, getopt_long)(int argc, char *const *argv, const char *options, const struct option *longs, int *index) {
    return start((struct scan){argc, (char **)(uintptr_t)argv, options, longs, index, 0, 0}, 0);
}

MODEL(int, getopt_long_only)(int argc, char *const *argv, const char *options, const struct option *longs,
                             int *index) {
    return start((struct scan){argc, (char **)(uintptr_t)argv, options, longs, index, 1, 0}, 0);
}
