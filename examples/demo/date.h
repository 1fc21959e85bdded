// Dates of the form YYYY-MM-DD.
#ifndef DATE_H
#define DATE_H

struct date {
    int year, month, day;
};

// 1 if the text is a date, 0 if not.
int date_parse(const char *text, struct date *date);
// The number of the day in its year, from 1.
int date_day_of_year(const struct date *date);

#endif
