// An array of symbolic length: its object has the concrete size.
// args: 3bc
int main(int argc, char **argv) {
    int n = argv[1][0] - '0';
    char buffer[n]; //~ concretise: ((int8)arg[1][0] + 0xffffffd0 & 0xffffffff) == 3
    for (int i = 0; i < 3; i++)
        buffer[i] = argv[1][i];
    if (buffer[2] == 'c') //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
