// Is there such a day, and how many days are left of the year?
#include <offshoot.h>

static int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_of(int month, int year) {
    switch (month) {
    case 2: return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    default: return 31;
    }
}

static int is_valid(int day, int month, int year) {
    if (year < 1583 || year > 2500)
        return 0;
    if (month < 1 || month > 12)
        return 0;
    return day >= 1 && day <= days_of(month, year);
}

static int days_left(int day, int month, int year) {
    int left = days_of(month, year) - day;
    for (int later = month + 1; later <= 12; later++)
        left += days_of(later, year);
    return left;
}

int main(void) {
    int day = offshoot_symbolic_char("day"), month = offshoot_symbolic_char("month"), year = offshoot_symbolic_short("year");
    if (!is_valid(day, month, year))
        return 1;
    int left = days_left(day, month, year);
    if (left == 0)
        return 2;
    return left > 300 ? 3 : 0;
}
