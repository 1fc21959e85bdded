// Wide vectors of the optimiser do not hide conditions.
// args: abac
// flags: -O3 -mavx2
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        n += argv[1][i] == 'a';
    if (n == 2) //~ branch: (arg[1][3] == 'a') + ((arg[1][2] == 'a') + ((arg[1][1] == 'a') + (arg[1][0] == 'a'))) == 2
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
