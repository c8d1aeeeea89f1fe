/* SPDX-License-Identifier: Apache-2.0 */
#include "size.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const not_a_size = "is not a size such as 4G, 1.5GiB, 512M or 1048576";
static const char *const too_large = "is too large";

/* Powers of 1024 of a unit, 0 for none, or -1. */
static int unit_power(const char *unit)
{
	static const char letters[] = "KMGT";
	const char *letter;

	if (!*unit)
		return 0;
	letter = strchr(letters, toupper((unsigned char)*unit));
	if (!letter || (unit[1] && strcmp(unit + 1, "iB")))
		return -1;
	return (int)(letter - letters) + 1;
}

/* Digits only, at least one. Returns the first character behind them, or NULL with *problem set. */
static const char *read_digits(uint64_t *value, const char *text, const char **problem)
{
	const char *digit = text;

	*problem = not_a_size;
	for (*value = 0; isdigit((unsigned char)*digit); digit++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*digit - '0'), value)) {
			*problem = too_large;
			return NULL;
		}
	}
	return digit > text ? digit : NULL;
}

/* The decimals behind a point, as millionths. */
static const char *read_decimals(uint64_t *millionths, const char *text, const char **problem)
{
	const char *end = read_digits(millionths, text, problem);

	if (!end)
		return NULL;
	if (end - text > 6) {
		*problem = "has more than six decimals";
		return NULL;
	}
	for (long digits = end - text; digits < 6; digits++)
		*millionths *= 10;
	return end;
}

const char *size_parse(uint64_t *size, const char *text)
{
	uint64_t whole, millionths = 0, unit;
	const char *problem, *rest = read_digits(&whole, text, &problem);
	bool decimals = rest && *rest == '.';
	int power;

	*size = 0;
	if (decimals)
		rest = read_decimals(&millionths, rest + 1, &problem);
	if (!rest)
		return problem;
	power = unit_power(rest);
	if (power < 0 || (decimals && !power))
		return not_a_size;
	unit = UINT64_C(1) << (10 * power);
	/* At most 10^6 << 40, below 2^60. */
	millionths = millionths * unit / 1000000;
	if (__builtin_mul_overflow(whole, unit, &whole) ||
	    __builtin_add_overflow(whole, millionths, size)) {
		*size = 0;
		return too_large;
	}
	return NULL;
}

const char *size_format(char text[SIZE_TEXT], uint64_t size)
{
	static const char units[] = "KMGTPE";
	double value = (double)size / 1024;
	size_t unit = 0;

	if (size < 1024) {
		snprintf(text, SIZE_TEXT, "%" PRIu64 " B", size);
		return text;
	}
	/* From 1023.95 on one decimal would round up to 1024.0. */
	for (; value >= 1023.95 && units[unit + 1]; unit++)
		value /= 1024;
	snprintf(text, SIZE_TEXT, "%.1f %ciB", value, units[unit]);
	return text;
}
