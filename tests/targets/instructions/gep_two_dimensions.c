// Two symbolic indices into one table.
// args: bc

static const char table[3][4] = {{1, 2, 3, 4}, {4, 5, 6, 7}, {0}};

int main(int argc, char **argv) {
    int i = argv[1][0] - 'a', j = argv[1][1] - 'a';
    if (table[i][j] == 6)
    //~ access: ((int8)arg[1][0] - 'a' << 2) + ADDRESS + ((int8)arg[1][1] - 'a'); read of 1 bytes at offset 6 of global table of 12 bytes
    //~ branch: table0<12>[((int8)arg[1][0] - 'a' << 2) + ADDRESS + ((int8)arg[1][1] - 'a') - ADDRESS] == 6
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
