// The checks on the month are incomplete: this is the bug that the demo walks up to.
#include "date.h"

static const int days_before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
static const int days_of[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in(int year, int month) {
    return month == 2 && is_leap(year) ? 29 : days_of[month - 1];
}

// Exactly `count` digits.
static const char *number(const char *text, int count, int *value) {
    *value = 0;
    for (; count > 0; count--, text++) {
        if (*text < '0' || *text > '9') {
            return 0;
        }
        *value = *value * 10 + (*text - '0');
    }
    return text;
}

int date_parse(const char *text, struct date *date) {
    text = number(text, 4, &date->year);
    if (!text || *text++ != '-') {
        return 0;
    }
    text = number(text, 2, &date->month);
    if (!text || *text++ != '-') {
        return 0;
    }
    text = number(text, 2, &date->day);
    if (!text || *text) {
        return 0;
    }
    if (date->month > 12) {
        return 0;
    }
    return date->day >= 1 && date->day <= days_in(date->year, date->month);
}

int date_day_of_year(const struct date *date) {
    int after_february = date->month > 2 && is_leap(date->year);
    return days_before[date->month - 1] + date->day + after_february;
}
