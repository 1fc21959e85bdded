// Vector arithmetic in floats.
// args: ab
int main(int argc, char **argv) {
    typedef float float4 __attribute__((vector_size(16)));
    float4 a = {argv[1][0], argv[1][1], 1, 2};
    a = a * 0.5f;
    if (a[1] == 49.0f) //~ branch: (float)arg[1][1] * 0.5f == 49.0f
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
