/* SPDX-License-Identifier: Apache-2.0 */
#include "percent.h"

#include <stddef.h>
#include <string.h>

#define DECIMALS 4 /* of a percent: a millionth is the last of them */

static const char *const not_a_percentage = "is not a percentage such as 5 or 0.5";

const char *percent_parse(uint32_t *ppm, const char *text, uint32_t most)
{
	static const char digits[] = "0123456789";
	size_t whole = strspn(text, digits);
	const char *rest = text + whole;
	size_t decimals = *rest == '.' ? strspn(rest + 1, digits) : 0;
	uint64_t value = 0;

	*ppm = 0;
	if (whole == 0 || (*rest == '.' && decimals == 0))
		return not_a_percentage;
	if (whole > 3 || decimals > DECIMALS)
		return whole > 3 ? "is too large" : "has more than four decimals";
	for (size_t i = 0; i < whole; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	for (size_t i = 0; i < DECIMALS; i++)
		value = value * 10 + (i < decimals ? (uint64_t)(rest[1 + i] - '0') : 0);
	rest += *rest == '.' ? 1 + decimals : 0;
	if (*rest == '%')
		rest++;
	if (*rest)
		return not_a_percentage;
	if (value > most * UINT64_C(10000))
		return "is too large";
	*ppm = (uint32_t)value;
	return NULL;
}
