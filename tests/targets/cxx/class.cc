// Classes with constructors and methods.
// args: ab

class Counter {
    int sum;

public:
    explicit Counter(int start) : sum(start) {}
    void add(int n) { sum += n; }
    int total() const { return sum; }
};

int main(int argc, char **argv) {
    Counter counter(argv[1][0]);
    counter.add(argv[1][1]);
    if (counter.total() == 195) //~ branch: (int8)arg[1][1] + (int8)arg[1][0] == 195
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
