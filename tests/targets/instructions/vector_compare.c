// Vector comparison gives masks.
// args: ab

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], 0, 0}, b = {'a', 'x', 0, 1};
    int4 equal = a == b;
    if (equal[0] == -1 && equal[1] == 0)
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][1] != 'x'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
