// Plain jumps.
// args: xxa
int main(int argc, char **argv) {
        int i = 0;
    again:
        if (argv[1][i] != 'x')
        //~ branch: arg[1][0] == 'x'
        //~ branch: arg[1][1] == 'x'
        //~ branch: arg[1][2] != 'x'
            goto out;
        i++;
        goto again;
    out:
        return i - 2;
}

//~ sources: arg[1](3)
//~ no-loss
