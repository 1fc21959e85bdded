// run: 0 5
// run: 4 2
// run: 20 100
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[1]), limit = atoi(argv[2]), sum = 0;
    for (int i = 0; i < n && sum < limit; i++)
        sum += i;
    while (n > 0 || sum > 50) {
        n--;
        sum -= 3;
        if (sum == 6)
            continue;
        if (n == 2 && sum > 0)
            break;
    }
    do
        sum++;
    while (sum < 10 && sum != 5);
    for (;;) {
        if (sum++ > 12)
            break;
    }
    return sum & 63;
}
