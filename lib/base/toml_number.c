/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_number.h"

#include <string.h>

/* Steps through a word. */
struct word {
	const char *at, *end;
};

static bool take(struct word *w, const char *bytes)
{
	if (w->at == w->end || !strchr(bytes, *w->at))
		return false;
	w->at++;
	return true;
}

/* Digits with single underscores between them. */
static bool take_digits(struct word *w, const char *digits)
{
	do {
		if (!take(w, digits))
			return false;
		while (take(w, digits))
			;
	} while (take(w, "_"));
	return true;
}

static const char decimal[] = "0123456789";

static unsigned base_of(const char *word, size_t len)
{
	if (len < 3 || word[0] != '0')
		return 10;
	return word[1] == 'x' ? 16 : word[1] == 'o' ? 8 : word[1] == 'b' ? 2 : 10;
}

static bool is_based(const char *word, size_t len, unsigned base)
{
	static const char hexadecimal[] = "0123456789abcdefABCDEF";
	struct word w = { word + 2, word + len };

	return take_digits(&w, base == 16  ? hexadecimal
			       : base == 8 ? "01234567"
					   : "01") &&
	       w.at == w.end;
}

enum toml_number_kind toml_number_kind(const char *word, size_t len)
{
	struct word w = { word, word + len };
	enum toml_number_kind kind = TOML_NUMBER_INTEGER;
	unsigned base = base_of(word, len);

	if (base != 10)
		return is_based(word, len, base) ? kind : TOML_NUMBER_NONE;
	take(&w, "+-");
	if (w.end - w.at == 3 && (!memcmp(w.at, "inf", 3) || !memcmp(w.at, "nan", 3)))
		return TOML_NUMBER_FLOAT;
	/* No zeros in front of other digits. */
	if (!take(&w, "0") && !take_digits(&w, decimal))
		return TOML_NUMBER_NONE;
	if (take(&w, ".")) {
		kind = TOML_NUMBER_FLOAT;
		if (!take_digits(&w, decimal))
			return TOML_NUMBER_NONE;
	}
	if (take(&w, "eE")) {
		kind = TOML_NUMBER_FLOAT;
		take(&w, "+-");
		if (!take_digits(&w, decimal))
			return TOML_NUMBER_NONE;
	}
	return w.at == w.end ? kind : TOML_NUMBER_NONE;
}

bool toml_number_integer(int64_t *out, const char *word, size_t len)
{
	const char *end = word + len;
	unsigned base = base_of(word, len);
	bool negative = *word == '-';

	*out = 0;
	word += base != 10 ? 2 : *word == '+' || negative;
	for (; word < end; word++) {
		int digit = *word <= '9' ? *word - '0' : (*word | 0x20) - 'a' + 10;

		if (*word == '_')
			continue;
		if (__builtin_mul_overflow(*out, (int64_t)base, out) ||
		    __builtin_add_overflow(*out, negative ? -digit : digit, out))
			return false;
	}
	return true;
}

/* ---- Dates ---- */

static bool take_number(unsigned *out, struct word *w, unsigned digits)
{
	*out = 0;
	for (; digits > 0; digits--) {
		if (!take(w, decimal))
			return false;
		*out = *out * 10 + (unsigned)(w->at[-1] - '0');
	}
	return true;
}

static bool take_day(struct word *w)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	unsigned year, month, day, last;
	bool leap;

	if (!take_number(&year, w, 4) || !take(w, "-") || !take_number(&month, w, 2) ||
	    !take(w, "-") || !take_number(&day, w, 2) || month < 1 || month > 12)
		return false;
	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	last = month == 2 && leap ? 29 : days[month - 1];
	return day >= 1 && day <= last;
}

static bool take_hour_and_minute(struct word *w)
{
	unsigned hour, minute;

	return take_number(&hour, w, 2) && take(w, ":") && take_number(&minute, w, 2) &&
	       hour < 24 && minute < 60;
}

static bool take_time(struct word *w)
{
	unsigned second;

	if (!take_hour_and_minute(w) || !take(w, ":") || !take_number(&second, w, 2) || second > 59)
		return false;
	if (!take(w, "."))
		return true;
	if (!take(w, decimal))
		return false;
	while (take(w, decimal))
		;
	return true;
}

bool toml_is_date(const char *word, size_t len)
{
	struct word w = { word, word + len };

	if (len > 2 && word[2] == ':')
		return take_time(&w) && w.at == w.end;
	if (!take_day(&w))
		return false;
	if (w.at == w.end)
		return true;
	if (!take(&w, "Tt ") || !take_time(&w))
		return false;
	if (w.at < w.end && !take(&w, "Zz") && !(take(&w, "+-") && take_hour_and_minute(&w)))
		return false;
	return w.at == w.end;
}
