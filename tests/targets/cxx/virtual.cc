// Virtual calls.
// args: dx

struct Animal {
    virtual ~Animal() = default;
    virtual int legs(int n) const = 0;
};
struct Dog : Animal {
    int legs(int n) const override { return n + 4; }
};
struct Cat : Animal {
    int legs(int n) const override { return n + 5; }
};

int main(int argc, char **argv) {
    Dog dog;
    Cat cat;
    Animal *animal = argv[1][0] == 'd' ? static_cast<Animal *>(&dog) : &cat; //~ branch: arg[1][0] == 'd'
    if (animal->legs(argv[1][1]) == 'x' + 4) //~ branch: arg[1][1] == 'x'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
