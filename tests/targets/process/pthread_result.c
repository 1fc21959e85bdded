// The result of a thread reaches pthread_join with its term.
// args: ab
// cc: -pthread
#include <pthread.h>

static void *run(void *argument) {
    const char *text = argument;
    return (void *)(long)(text[1] + 1);
}

int main(int argc, char **argv) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, run, argv[1]);
    pthread_join(thread, &result);
    if ((long)result == 'b' + 1) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
