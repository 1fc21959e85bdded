// A vector condition picks lane by lane.
// args: ac

typedef int int4 __attribute__((vector_size(16)));

int main(int argc, char **argv) {
    int4 a = {argv[1][0], argv[1][1], 0, 0}, b = {'b', 'b', 0, 1};
    int4 larger = __builtin_elementwise_max(a, b);
    int4 mask = a > b;
    int4 picked = (a & mask) | (b & ~mask);
    if (larger[0] == 'b' && picked[1] == 'c')
    //~ branch: ((int8)arg[1][0] < 'b' ? 98 : (int8)arg[1][0]) == 98
    //~ branch: ((int8)arg[1][1] < 'b' ? 98 : (int8)arg[1][1]) == 99
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
