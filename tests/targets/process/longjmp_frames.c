// The frames that `longjmp` leaves are forgotten; objects of the frame that it returns to are still known.
// args: 2
#include <setjmp.h>
#include <string.h>

static jmp_buf target;

__attribute__((noinline)) static void deep(int n) {
    char room[100];
    memset(room, n, sizeof room);
    if (n == 0)
        longjmp(target, 1);
    deep(n - 1);
    __asm__ volatile("" : : "r"(room) : "memory");
}

__attribute__((noinline)) static int overwrite(void) {
    char room[3000];
    memset(room, 1, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
    return room[5];
}

int main(int argc, char **argv) {
    int table[4] = {10, 11, 12, 13};
    __asm__ volatile("" : : "r"(table) : "memory");
    if (setjmp(target) == 0)
        deep(20);
    overwrite();
    return table[argv[1][0] - '0'] == 12 ? 0 : 1;
    //~ access: ((int8)arg[1][0] - '0' << 2) + ADDRESS; read of 4 bytes at offset 8 of stack object of 16 bytes
    //~ branch: table0<16>[(int8)arg[1][0] - '0' << 2]:u32 == 12
}

//~ sources: arg[1](1)
//~ no-loss
