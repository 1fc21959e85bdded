// Vector arithmetic, lane by lane.
// args: abc

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], argv[1][2], 4}, b = {1, 2, 3, 4};
    a = a * b + b;
    if (a[1] == 'b' * 2 + 2) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
