/* SPDX-License-Identifier: Apache-2.0 */
#include "pax_encode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NSEC_PER_SEC 1000000000u
#define NAME_MAX_BYTES 255 /* of an extended attribute: XATTR_NAME_MAX */
#define SCHILY_PREFIX "SCHILY.xattr."

static size_t digits_of(size_t number)
{
	size_t digits = 1;

	while (number /= 10)
		digits++;
	return digits;
}

/* The length counts its own digits. */
static size_t record_length(size_t rest)
{
	size_t len = rest + digits_of(rest);

	return rest + digits_of(len);
}

int tar_pax_put(struct buf *body, const char *key, const void *value, size_t len,
		struct mkrootfs_error *error)
{
	size_t total = record_length(strlen(" =\n") + strlen(key) + len);
	int status = buf_printf(body, error, "%zu %s=", total, key);

	if (status == 0)
		status = buf_append(body, value, len, error);
	return status < 0 ? status : buf_append(body, "\n", 1, error);
}

int tar_pax_put_number(struct buf *body, const char *key, uint64_t value,
		       struct mkrootfs_error *error)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu64, value);

	return tar_pax_put(body, key, text, (size_t)len, error);
}

int tar_pax_put_time(struct buf *body, const char *key, int64_t sec, uint32_t nsec,
		     struct mkrootfs_error *error)
{
	bool negative = sec < 0;
	uint64_t magnitude = negative ? 0 - (uint64_t)sec : (uint64_t)sec;
	char text[48];
	int len;

	if (negative && nsec > 0) {
		magnitude--;
		nsec = NSEC_PER_SEC - nsec;
	}
	len = snprintf(text, sizeof(text), "%s%" PRIu64, negative ? "-" : "", magnitude);
	if (nsec > 0) {
		len += snprintf(text + len, sizeof(text) - (size_t)len, ".%09u", nsec);
		while (text[len - 1] == '0')
			len--;
	}
	return tar_pax_put(body, key, text, (size_t)len, error);
}

/* What GNU tar takes for an escaped byte, besides '=', which would end the key. */
static bool needs_escape(const char *at, size_t left)
{
	return *at == '=' || (left >= 3 && (!memcmp(at, "%3D", 3) || !memcmp(at, "%25", 3)));
}

int tar_pax_put_xattr(struct buf *body, const struct tar_xattr *xattr, struct mkrootfs_error *error)
{
	char key[sizeof(SCHILY_PREFIX) + 3 * NAME_MAX_BYTES] = SCHILY_PREFIX;
	char *to = key + strlen(SCHILY_PREFIX);

	if (xattr->name_len == 0 || xattr->name_len > NAME_MAX_BYTES ||
	    memchr(xattr->name, '\0', xattr->name_len))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "extended attribute '%.*s': the name is not possible",
				 NAME_MAX_BYTES, xattr->name_len ? xattr->name : "");
	for (size_t i = 0; i < xattr->name_len; i++) {
		const char *at = xattr->name + i;

		if (needs_escape(at, xattr->name_len - i)) {
			memcpy(to, *at == '=' ? "%3D" : "%25", 3);
			to += 3;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
	return tar_pax_put(body, key, xattr->value, xattr->value_len, error);
}

/* Bytes of the well-formed sequence at text, 0 for none: RFC 3629. */
static size_t sequence(const uint8_t *text, size_t len)
{
	size_t more = text[0] < 0x80 ? 0 : text[0] < 0xe0 ? 1 : text[0] < 0xf0 ? 2 : 3;
	uint32_t code = text[0] & (0x3fu >> more);
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };

	if (more == 0)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4 || more >= len)
		return 0;
	for (size_t i = 1; i <= more; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return more + 1;
}

int tar_pax_put_charset(struct buf *body, const char *name, size_t len,
			struct mkrootfs_error *error)
{
	const uint8_t *at = (const uint8_t *)name, *end = at + len;
	size_t step = 1;

	while (at < end && (step = sequence(at, (size_t)(end - at))) > 0)
		at += step;
	return step > 0 ? 0 : tar_pax_put(body, "hdrcharset", "BINARY", strlen("BINARY"), error);
}
