// A thread computes on the input; its events are in the trace.
// args: ab
// cc: -pthread
#include <pthread.h>

struct work {
    const char *text;
    int result;
};

static void *run(void *argument) {
    struct work *work = argument;
    if (work->text[0] == 'a') //~ branch: arg[1][0] == 'a'
        work->result = work->text[1] + 1;
    return 0;
}

int main(int argc, char **argv) {
    struct work work = {argv[1], 0};
    pthread_t thread;
    pthread_create(&thread, 0, run, &work);
    pthread_join(thread, 0);
    if (work.result == 'b' + 1) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
