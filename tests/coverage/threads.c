// flags: -pthread
// run: 0
// run: 3
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) {
    long n = (long)argument;
    return (void *)(long)(n > 1 && n < 3);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), sum = 0;
    for (long i = 0; i < n || i == 0; i++) {
        pthread_t thread;
        void *result = NULL;
        if (pthread_create(&thread, NULL, work, (void *)i) == 0 && pthread_join(thread, &result) == 0)
            sum += (int)(long)result;
    }
    return sum;
}
