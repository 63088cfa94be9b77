#include "report/date.h"

#include <assert.h>
#include <ctype.h>
#include <time.h>

const char *date_today(struct arena *arena) {
    char text[16];
    time_t now = time(NULL);
    struct tm utc;
    size_t len = strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&now, &utc));
    assert(len == 10);
    return arena_strndup(arena, text, len);
}

static int number(const char *text, int digits) {
    int n = 0;
    for (int i = 0; i < digits; i++)
        n = n * 10 + (text[i] - '0');
    return n;
}

static int days_of(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    assert(month >= 1 && month <= 12);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool date_is(const char *text) {
    static const char pattern[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof pattern; i++)
        if (pattern[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != pattern[i])
            return false;
    int year = number(text, 4), month = number(text + 5, 2), day = number(text + 8, 2);
    return month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
}
