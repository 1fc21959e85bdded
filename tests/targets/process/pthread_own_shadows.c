// Two threads at once do not see each other's arguments.
// args: ab
// cc: -pthread
#include <pthread.h>
#include <stdlib.h>

__attribute__((noinline)) static long weigh(long n) {
    return n * 2 + 1;
}

static void *run(void *argument) {
    long sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += weigh((long)argument);
    if (sum != 1000 * ((long)argument * 2 + 1))
        abort();
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
