// A loop-carried symbolic value.
// args: abc
int main(int argc, char **argv) {
    unsigned hash = 5381;
    for (char *p = argv[1]; p < argv[1] + 3; p++)
        hash = hash * 33 + (unsigned char)*p;
    if (hash == 193485963) //~ branch: arg[1][2] + (arg[1][1] + (arg[1][0] + 0x2b5a5) * 33) * 33 == 0xb885c8b
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
