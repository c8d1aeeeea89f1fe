/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of a descriptor cut into words, which lie where the line lies:
 *
 *	struct word line = { text, len }, access = word_take(&line);
 *	if (word_is(access, "RW") && word_number(&sectors, word_take(&line))) ...
 */
#ifndef MKROOTFS_VMDK_WORDS_H
#define MKROOTFS_VMDK_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a line, borrowed. */
struct word {
	const char *at;
	size_t len; /* bytes */
};

/* Without blanks and tabs at both ends. */
struct word word_trim(struct word w);

/* Takes the next word off the line; an empty one at its end. */
struct word word_take(struct word *line);

/* Whether it is text; capital and small letters are the same, as for VMware. */
bool word_is(struct word w, const char *text);

/* A decimal number of 1 to 18 digits; false: it is none. */
bool word_number(uint64_t *out, struct word w);

#endif
