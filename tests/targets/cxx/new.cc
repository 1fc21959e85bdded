// new and delete are heap blocks.
// args: 3
int main(int argc, char **argv) {
    char *p = new char[8];
    p[argv[1][0] - '0'] = 1;
    bool ok = p[3] == 1;
    delete[] p;
    return ok ? 0 : 1;
}
