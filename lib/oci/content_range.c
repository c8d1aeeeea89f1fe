/* SPDX-License-Identifier: Apache-2.0 */
#include "content_range.h"

#include "../base/checked.h"

#include <string.h>
#include <strings.h>

/* Moves *text behind its digits, of which there must be one at least. */
static bool take_number(uint64_t *out, const char **text)
{
	const char *at = *text;

	*out = 0;
	for (; *at >= '0' && *at <= '9'; at++)
		if (!checked_mul_u64(out, *out, 10) ||
		    !checked_add_u64(out, *out, (uint64_t)(*at - '0')))
			return false;
	if (at == *text)
		return false;
	*text = at;
	return true;
}

static bool take(const char **text, char c)
{
	if (**text != c)
		return false;
	++*text;
	return true;
}

static bool take_total(struct content_range *out, const char **text)
{
	if (take(text, '*'))
		return true;
	out->has_total = take_number(&out->total, text);
	return out->has_total && out->last < out->total;
}

bool content_range_parse(struct content_range *out, const char *value)
{
	memset(out, 0, sizeof(*out));
	if (strncasecmp(value, "bytes", 5) != 0)
		return false;
	value += 5;
	if (!strspn(value, " \t"))
		return false;
	value += strspn(value, " \t");
	if (!take_number(&out->first, &value) || !take(&value, '-') ||
	    !take_number(&out->last, &value) || !take(&value, '/') || !take_total(out, &value))
		return false;
	return out->first <= out->last && value[strspn(value, " \t")] == '\0';
}
