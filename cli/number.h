/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts as people write them: decimal digits, nothing else.
 *
 *	uint64_t jobs;
 *	const char *problem = number_parse(&jobs, "4", 1, 64);
 *
 *	if (problem)
 *		return usage_error(invocation, "--jobs %s", problem);
 */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdint.h>

/* Returns NULL, or what is wrong, static text: no number, too small, too large. */
const char *number_parse(uint64_t *number, const char *text, uint64_t least, uint64_t most);

#endif
