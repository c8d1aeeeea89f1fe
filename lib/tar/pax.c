/* SPDX-License-Identifier: Apache-2.0 */
#include "pax.h"

#include <string.h>

#define NSEC_PER_SEC 1000000000u

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes digits off the front of text; returns how many. The value stops at UINT64_MAX. */
static size_t take_digits(uint64_t *out, struct tar_text *text)
{
	size_t count = 0;
	uint64_t value = 0;

	for (; count < text->len && is_digit(text->data[count]); count++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text->data[count] - '0'), &value))
			value = UINT64_MAX;
	text->data += count;
	text->len -= count;
	*out = value;
	return count;
}

static bool take_char(struct tar_text *text, char c)
{
	if (text->len == 0 || text->data[0] != c)
		return false;
	text->data++;
	text->len--;
	return true;
}

/* Some writers count the padding of the last block into the header's size. */
static bool only_zeros(const struct tar_text *text)
{
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i])
			return false;
	return true;
}

static int bad_record(const char *why, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "bad record: %s", why);
}

/* Splits "KEY=VALUE\n", the whole of it, and ends both by a NUL. */
static int split_record(struct tar_pax_record *record, char *body, size_t len,
			struct mkrootfs_error *error)
{
	char *equals = len > 0 ? memchr(body, '=', len - 1) : NULL;

	if (!equals || equals == body)
		return bad_record("it has no key", error);
	if (body[len - 1] != '\n')
		return bad_record("no newline stands at its end", error);
	*equals = '\0';
	body[len - 1] = '\0';
	record->key = (struct tar_text){ body, (size_t)(equals - body) };
	record->value = (struct tar_text){ equals + 1, (size_t)(body + len - 1 - (equals + 1)) };
	if (memchr(body, '\0', record->key.len))
		return bad_record("its key holds a NUL", error);
	return 1;
}

int tar_pax_next(struct tar_pax_record *record, struct tar_text *rest, struct mkrootfs_error *error)
{
	struct tar_text at = *rest;
	uint64_t len;
	size_t head;
	char *body;

	if (only_zeros(rest))
		return 0;
	if (take_digits(&len, &at) == 0 || !take_char(&at, ' '))
		return bad_record("its length is no number", error);
	head = (size_t)(at.data - rest->data);
	if (len <= head || len > rest->len)
		return bad_record("its length does not fit the header", error);
	body = at.data;
	rest->data += len;
	rest->len -= len;
	return split_record(record, body, len - head, error);
}

/* magnitude with its sign, cut to the range of int64_t. */
static int64_t with_sign(uint64_t magnitude, bool negative)
{
	if (negative)
		return magnitude > INT64_MAX ? INT64_MIN : -(int64_t)magnitude;
	return magnitude > INT64_MAX ? INT64_MAX : (int64_t)magnitude;
}

bool tar_decimal(int64_t *out, const struct tar_text *text)
{
	struct tar_text rest = *text;
	bool negative = take_char(&rest, '-');
	uint64_t magnitude;
	size_t digits = take_digits(&magnitude, &rest);

	*out = with_sign(magnitude, negative);
	return digits > 0 && rest.len == 0;
}

/* The digits behind the point as nanoseconds; false when there is something else. */
static bool fraction_of(uint32_t *nsec, const struct tar_text *text)
{
	uint32_t unit = NSEC_PER_SEC;

	*nsec = 0;
	for (size_t i = 0; i < text->len; i++) {
		if (!is_digit(text->data[i]))
			return false;
		unit /= 10; /* 0 behind the ninth digit */
		*nsec += unit * (uint32_t)(text->data[i] - '0');
	}
	return true;
}

bool tar_decimal_time(int64_t *sec, uint32_t *nsec, const struct tar_text *text)
{
	struct tar_text rest = *text;
	bool negative = take_char(&rest, '-');
	uint64_t magnitude;
	size_t digits = take_digits(&magnitude, &rest);

	*sec = with_sign(magnitude, negative);
	*nsec = 0;
	if (take_char(&rest, '.'))
		digits += rest.len; /* ".5" */
	else if (rest.len > 0)
		return false;
	if (!fraction_of(nsec, &rest))
		return false;
	if (magnitude > INT64_MAX)
		*nsec = 0;
	else if (negative && *nsec > 0) {
		*sec -= 1; /* -INT64_MAX - 1 still fits */
		*nsec = NSEC_PER_SEC - *nsec;
	}
	return digits > 0;
}
