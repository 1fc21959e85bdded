// new and delete are heap blocks.
// args: 3
int main(int argc, char **argv) {
    char *p = new char[8];
    p[argv[1][0] - '0'] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at offset 3 of heap block of 8 bytes
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    bool ok = p[3] == 1;
    delete[] p;
    return ok ? 0 : 1;
}

//~ sources: arg[1](1)
//~ no-loss
