// run: 0
// run: 1
#include <stdlib.h>
static int f(int x) { if (x) return 1; else return 2; } static int g(int x) { return x && f(x); } int main(int argc, char **argv) { int x = atoi(argv[1]); for (int i = 0; i < 2 && x; i++) { if (g(i)) x++; } return f(x) + g(x); }
