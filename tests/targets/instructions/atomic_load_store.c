// Atomic loads, stores and fences.
// args: a
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic long n;
    atomic_store_explicit(&n, argv[1][0], memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&n, memory_order_acquire) == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
