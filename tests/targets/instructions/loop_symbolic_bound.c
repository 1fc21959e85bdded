// A loop that the input bounds.
// args: 3
int main(int argc, char **argv) {
    int n = argv[1][0] - '0', sum = 0;
    for (int i = 0; i < n; i++)
    //~ branch: (int8)arg[1][0] > '0'
    //~ branch: (int32)((int8)arg[1][0] - '0') > 1
    //~ branch: (int32)((int8)arg[1][0] - '0') > 2
    //~ branch: (int32)((int8)arg[1][0] - '0') <= 3
        sum += i;
    return sum - 3;
}

//~ sources: arg[1](1)
//~ no-loss
