/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of pax extended headers, "LENGTH KEY=VALUE\n", and the texts of their values.
 *
 *	struct tar_text rest = { body, len };
 *	while ((status = tar_pax_next(&record, &rest, error)) > 0)
 *		use(record.key, record.value);
 *
 * A record ends where its length says: the value is raw bytes and may hold newlines and NULs.
 * Format: POSIX.1-2017, pax, "pax Header Block" and "pax Extended Header".
 */
#ifndef MKROOTFS_TAR_PAX_H
#define MKROOTFS_TAR_PAX_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tar_text {
	char *data; /* NULL: absent */
	size_t len;
};

struct tar_pax_record {
	struct tar_text key;   /* followed by a NUL */
	struct tar_text value; /* followed by a NUL */
};

/*
 * Takes the next record off rest: 1, or 0 when there is none left. The bytes around key and value
 * are overwritten by NULs.
 */
int tar_pax_next(struct tar_pax_record *record, struct tar_text *rest,
		 struct mkrootfs_error *error);

/*
 * Decimal digits, with a minus in front where negative. Values beyond int64_t become INT64_MAX or
 * INT64_MIN. False: the text is something else.
 */
bool tar_decimal(int64_t *out, const struct tar_text *text);

/*
 * Seconds with an optional fraction, cut after nine digits; nsec counts forward. Times beyond
 * int64_t become the last or first second that fits. False: the text is something else.
 */
bool tar_decimal_time(int64_t *sec, uint32_t *nsec, const struct tar_text *text);

#endif
