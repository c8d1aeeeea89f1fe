/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte counts as people write and read them.
 *
 *	uint64_t size;
 *	char text[SIZE_TEXT];
 *	const char *problem = size_parse(&size, "1.5G");
 *
 *	if (problem)
 *		return usage_error(invocation, "--size %s", problem);
 *	puts(size_format(text, size));
 */
#ifndef CLI_SIZE_H
#define CLI_SIZE_H

#include <stdint.h>

/*
 * Reads a plain number of bytes, or a number with up to six decimals and a binary unit: K, M, G or
 * T in either case, alone or as KiB, MiB, GiB, TiB. Decimal units such as "GB" are refused: they
 * mean different things to different people. Returns NULL, or what is wrong, static text.
 */
const char *size_parse(uint64_t *size, const char *text);

/* Room for every result of size_format. */
#define SIZE_TEXT 24

/* "512 B", "45.2 MiB". Returns text. */
const char *size_format(char text[SIZE_TEXT], uint64_t size);

#endif
