// The words of a small language: names, numbers, strings, comments, operators.
#include <unistd.h>

enum { LENGTH = 6 };

static int is_letter(int c) { return (c >= 'a' && c <= 'z') || c == '_'; }

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int scan(const char *text, int length) {
    int at = 0, names = 0, numbers = 0, errors = 0;
    while (at < length && text[at]) {
        char c = text[at];
        if (c == ' ' || c == '\n') {
            at++;
        } else if (is_letter(c)) {
            while (at < length && (is_letter(text[at]) || is_digit(text[at])))
                at++;
            names++;
        } else if (is_digit(c)) {
            while (at < length && is_digit(text[at]))
                at++;
            numbers++;
        } else if (c == '"') {
            for (at++; at < length && text[at] != '"'; at++)
                if (text[at] == '\\')
                    at++;
            if (at >= length)
                errors++;
            at++;
        } else if (c == '/' && at + 1 < length && text[at + 1] == '/') {
            while (at < length && text[at] != '\n')
                at++;
        } else {
            switch (c) {
            case '+':
            case '-':
            case '*':
            case '/': at++; break;
            case '=':
            case '<': at += at + 1 < length && text[at + 1] == '=' ? 2 : 1; break;
            default:
                errors++;
                at++;
            }
        }
    }
    return errors ? -1 : names + numbers;
}

int main(void) {
    char text[LENGTH] = {0};
    if (read(0, text, LENGTH) != LENGTH)
        return 1;
    return scan(text, LENGTH) < 0 ? 2 : 0;
}
