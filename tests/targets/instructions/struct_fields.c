// Fields of a structure keep their own terms.
// args: ab

struct pair {
    char first;
    long second;
};

int main(int argc, char **argv) {
    struct pair p = {argv[1][0], argv[1][1]};
    p.second += p.first;
    if (p.second == 195)
    //~[O0] branch: (int8)arg[1][0] + (int8)arg[1][1] == 195
    //~[O2] branch: (int8)arg[1][1] + (int8)arg[1][0] == 195
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
