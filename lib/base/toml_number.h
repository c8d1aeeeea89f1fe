/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers, dates and times of TOML: words of digits and signs. Private to the TOML reader.
 *
 *	enum toml_number_kind kind = toml_number_kind(word, len);
 *	if (kind == TOML_NUMBER_INTEGER && !toml_number_integer(&value, word, len))
 *		...		it does not fit 64 bits
 */
#ifndef MKROOTFS_BASE_TOML_NUMBER_H
#define MKROOTFS_BASE_TOML_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum toml_number_kind { TOML_NUMBER_NONE, TOML_NUMBER_INTEGER, TOML_NUMBER_FLOAT };

enum toml_number_kind toml_number_kind(const char *word, size_t len);
bool toml_number_integer(int64_t *out, const char *word, size_t len);
/* A date, a time, or both with or without an offset (RFC 3339), that the calendar has. */
bool toml_is_date(const char *word, size_t len);

#endif
