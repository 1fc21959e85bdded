// Two loops, one inside the other.
// args: 22
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 0; i < argv[1][0] - '0'; i++)
    //~ branch: (int8)arg[1][0] > '0'
    //~ branch: (int32)((int8)arg[1][0] - '0') > 1
    //~ branch: (int32)((int8)arg[1][0] - '0') <= 2
        for (int j = 0; j < argv[1][1] - '0'; j++)
        //~ branch: (int8)arg[1][1] > '0'
        //~ branch: (int32)((int8)arg[1][1] - '0') > 1
        //~ branch: (int32)((int8)arg[1][1] - '0') <= 2
        //~ branch: (int8)arg[1][1] > '0'
        //~ branch: (int32)((int8)arg[1][1] - '0') > 1
        //~ branch: (int32)((int8)arg[1][1] - '0') <= 2
            n++;
    return n - 4;
}

//~ sources: arg[1](2)
//~ no-loss
