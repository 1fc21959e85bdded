// A write through a symbolic index fixes the index.
// args: ax
int main(int argc, char **argv) {
    char seen[16] = {0};
    seen[argv[1][0] & 15] = argv[1][1];
    //~ access: (arg[1][0] & 15) + ADDRESS; write of 1 bytes at offset 1 of stack object of 16 bytes
    //~ concretise: (arg[1][0] & 15) + ADDRESS == ADDRESS
    if (seen[1] == 'x') //~ branch: arg[1][1] == 'x'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
