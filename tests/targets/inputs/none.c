// Nothing symbolic makes no events.
// args: ab
// symbolic: none
int main(int argc, char **argv) {
    if (argv[1][0] == 'a')
        return 0;
    return 1;
}

//~ sources: none
//~ no-loss
