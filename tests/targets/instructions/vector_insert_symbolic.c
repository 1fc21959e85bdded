// A lane picked by the input.
// args: ax

typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {1, 2, 3, 4};
    a[argv[1][0] & 3] = argv[1][1]; //~ loss: instruction without a model/insertelement with a variable index ×2
    if (a[1] == 'x')
        return 0;
    return 1;
}

//~ sources: arg[1](2)
