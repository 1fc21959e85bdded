// A jump to a label picked by the input: the target is fixed.
// args: 1x
int main(int argc, char **argv) {
        static void *const labels[] = {&&zero, &&one, &&two};
        goto *labels[argv[1][0] - '0'];
        //~ access: ((int8)arg[1][0] - '0' << 3) + ADDRESS; read of 8 bytes at offset 8 of global main.labels of 24 bytes
        //~ switch: table0<24>[(int8)arg[1][0] - '0' << 3]:u64 == 2
    zero:
        return 1;
    one:
        if (argv[1][1] == 'x') //~ branch: arg[1][1] == 'x'
            return 0;
        return 2;
    two:
        return 3;
}

//~ sources: arg[1](2)
//~ no-loss
