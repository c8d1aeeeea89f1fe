/* SPDX-License-Identifier: Apache-2.0 */
/* Values of headers that decide how a transfer goes on: Content-Range, Retry-After and Date. */
#include "oci/content_range.h"
#include "oci/retry_after.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_range(const char *value)
{
	struct content_range range;

	if (!content_range_parse(&range, value))
		return;
	if (range.first > range.last || (range.has_total && range.last >= range.total))
		abort();
}

static void try_after(const char *value, const char *date)
{
	int64_t seconds = retry_after_seconds(value, date);

	if (seconds < RETRY_AFTER_UNKNOWN || seconds > RETRY_AFTER_MAX)
		abort();
	if (http_date_parse(value) < -1)
		abort();
}

/* The first line is the value, the second one a date. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *date;

	memcpy(text, data, size);
	text[size] = '\0';
	date = strchr(text, '\n');
	if (date)
		*date++ = '\0';
	try_range(text);
	try_after(text, date);
	free(text);
	return 0;
}
