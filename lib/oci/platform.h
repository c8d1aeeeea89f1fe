/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Platforms as Go names them: "linux/amd64", "linux/arm/v7".
 *
 *	struct platform wanted;
 *	platform_parse(&wanted, "linux/aarch64", error);	linux/arm64
 *	rank = platform_rank(&candidate, &wanted);		0: no match; else the highest wins
 */
#ifndef MKROOTFS_OCI_PLATFORM_H
#define MKROOTFS_OCI_PLATFORM_H

#include "../base/jval.h"

#include <stdbool.h>

/* In normal form: lower case, Go's architecture names, no variant where it is the default one. */
struct platform {
	char os[32];
	char architecture[32]; /* empty: unknown */
	char variant[16];      /* "v7"; empty: none, or v8 of arm64, v1 of amd64 */
};

#define PLATFORM_TEXT_SIZE 96

/* "os/architecture[/variant]" from a user: MKROOTFS_ERROR_INVALID when it is anything else. */
int platform_parse(struct platform *out, const char *text, struct mkrootfs_error *error);
/*
 * The strings os, architecture and variant of a JSON object, each of which may be absent.
 * MKROOTFS_ERROR_MALFORMED when one is mistyped or too long.
 */
int platform_from_json(struct platform *out, const struct jval *object,
		       struct mkrootfs_error *error);
/* Linux on the architecture that this library was compiled for. */
void platform_host(struct platform *out);
void platform_format(char text[PLATFORM_TEXT_SIZE], const struct platform *platform);
/*
 * How well candidate serves wanted: 0 not at all. Of arm, arm64 and amd64 a variant not above the
 * wanted one serves, and a higher one ranks higher; all else must be equal.
 */
unsigned platform_rank(const struct platform *candidate, const struct platform *wanted);

#endif
