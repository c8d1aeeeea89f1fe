/* SPDX-License-Identifier: Apache-2.0 */
#include "retry_after.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Exactly count digits at text, or -1. */
static int digits(const char *text, int count)
{
	int value = 0;

	for (; count > 0; count--, text++) {
		if (*text < '0' || *text > '9')
			return -1;
		value = value * 10 + (*text - '0');
	}
	return value;
}

/* 1 to 12, or 0. */
static int month_of(const char *text)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; i < 12; i++)
		if (!strncmp(text, names + 3 * i, 3))
			return i + 1;
	return 0;
}

/* Days from 1970-01-01, in the Gregorian calendar; years count from March, leap days come last. */
static int64_t days_from_civil(int year, int month, int day)
{
	int y = month > 2 ? year : year - 1;
	int in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return (int64_t)y * 365 + y / 4 - y / 100 + y / 400 + in_year - 719468;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT": 'x' stands for a letter, '0' for a digit. */
static bool has_form(const char *text)
{
	static const char form[] = "xxx, 00 xxx 0000 00:00:00 GMT";

	if (strlen(text) != sizeof(form) - 1)
		return false;
	for (size_t i = 0; form[i]; i++)
		if (form[i] != 'x' && form[i] != '0' && form[i] != text[i])
			return false;
	return true;
}

int64_t http_date_parse(const char *text)
{
	int day, month, year, hour, minute, second;

	if (!has_form(text))
		return -1;
	day = digits(text + 5, 2);
	month = month_of(text + 8);
	year = digits(text + 12, 4);
	hour = digits(text + 17, 2);
	minute = digits(text + 20, 2);
	second = digits(text + 23, 2);
	if (day < 1 || day > 31 || !month || year < 1970 || hour < 0 || hour > 23 || minute < 0 ||
	    minute > 59 || second < 0 || second > 60)
		return -1;
	return days_from_civil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
}

/* Cut, so that no number of digits overflows. */
static int64_t parse_seconds(const char *value)
{
	int64_t seconds = 0;

	if (!*value || value[strspn(value, "0123456789")])
		return RETRY_AFTER_UNKNOWN;
	for (; *value && seconds < RETRY_AFTER_MAX; value++)
		seconds = seconds * 10 + (*value - '0');
	return seconds < RETRY_AFTER_MAX ? seconds : RETRY_AFTER_MAX;
}

int64_t retry_after_seconds(const char *value, const char *date)
{
	int64_t then, now;

	if (!value)
		return RETRY_AFTER_UNKNOWN;
	if (parse_seconds(value) != RETRY_AFTER_UNKNOWN)
		return parse_seconds(value);
	then = http_date_parse(value);
	now = date ? http_date_parse(date) : -1;
	if (then < 0 || now < 0)
		return RETRY_AFTER_UNKNOWN;
	if (then <= now)
		return 0;
	return then - now < RETRY_AFTER_MAX ? then - now : RETRY_AFTER_MAX;
}
