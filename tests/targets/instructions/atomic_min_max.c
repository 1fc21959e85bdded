// Atomic minimum and maximum.
// args: ab
int main(int argc, char **argv) {
    int n = argv[1][0];
    __atomic_fetch_max(&n, argv[1][1], __ATOMIC_SEQ_CST);
    __atomic_fetch_min(&n, 'z', __ATOMIC_SEQ_CST);
    if (n == 'b')
    //~ branch: ((int32)((int8)arg[1][0] < (int8)arg[1][1] ? (int8)arg[1][1] : (int8)arg[1][0]) < 122 ? ((int8)arg[1][0] < (int8)arg[1][1] ? (int8)arg[1][1] : (int8)arg[1][0]) : 122) == 98
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
