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
        return 0;
    return 1;
}
