/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *number_parse(uint64_t *number, const char *text, uint64_t least, uint64_t most)
{
	unsigned long long value;

	if (!*text || text[strspn(text, "0123456789")])
		return "is not a whole number";
	errno = 0;
	value = strtoull(text, NULL, 10);
	if (errno || value > most)
		return "is too large";
	if (value < least)
		return "is too small";
	*number = value;
	return NULL;
}
