// run:
static void nothing(void) {}
static void empty_lines(void) {

}
int main(void) {
    nothing();
    ;
    {}
    if (0) {
    } else {
    }
    for (int i = 0; i < 3; i++)
        ;
    while (0)
        ;
    empty_lines();
    return 0;
}
