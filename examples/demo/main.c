// Prints the day of the year of a date.
#include "date.h"
#include <stdio.h>

int main(int argc, char **argv) {
    struct date date;
    if (argc != 2) {
        fprintf(stderr, "usage: %s YYYY-MM-DD\n", argv[0]);
        return 2;
    }
    if (!date_parse(argv[1], &date)) {
        printf("not a date\n");
        return 1;
    }
    printf("day %d\n", date_day_of_year(&date));
    return 0;
}
