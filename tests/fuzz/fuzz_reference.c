/* SPDX-License-Identifier: Apache-2.0 */
/* Image references, platforms and URLs: any text. What is accepted must mean itself again. */
#include "oci/platform.h"
#include "oci/reference.h"
#include "oci/url.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_reference(const char *text)
{
	struct mkrootfs_error error;
	struct reference first, second;

	if (reference_parse(&first, text, &error) < 0)
		return;
	if (reference_parse(&second, first.text, &error) < 0 ||
	    strcmp(first.text, second.text) != 0)
		abort();
}

static void try_platform(const char *text)
{
	struct platform first, second;
	struct mkrootfs_error error;
	char formatted[PLATFORM_TEXT_SIZE];

	if (platform_parse(&first, text, &error) < 0)
		return;
	platform_format(formatted, &first);
	if (platform_parse(&second, formatted, &error) < 0 || platform_rank(&first, &second) == 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mkrootfs_error error;
	struct url_origin origin;
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	try_reference(text);
	try_platform(text);
	url_origin_parse(&origin, text, &error);
	url_host_is_loopback(text);
	free(text);
	return 0;
}
