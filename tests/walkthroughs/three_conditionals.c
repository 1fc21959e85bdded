// FSE'14 section 1: whether the last condition can be met is decided by the one before it, not by the first. Who looks
// at contexts asks for it once on each side of the second; who does not asks on every path.
#include <offshoot.h>

static int price(int member, int total) {
    int reduction = 0;
    if (member == 1)
        reduction = 5;
    if (total >= 100)
        reduction += 10;
    if (total >= 200)
        reduction += 20;
    return reduction;
}

int main(void) {
    int member = offshoot_symbolic_int("member");
    int total = offshoot_symbolic_int("total");
    return price(member, total);
}
