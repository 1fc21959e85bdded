// A switch over an enumeration computed from the input.
// args: a
int main(int argc, char **argv) {
    enum { RED, GREEN, BLUE } colour = (unsigned char)argv[1][0] % 3;
    switch (colour) { //~ switch: arg[1][0] % 3 == 1
    case RED:
        return 1;
    case GREEN:
        return 0;
    case BLUE:
        return 2;
    }
    return 3;
}

//~ sources: arg[1](1)
//~ no-loss
