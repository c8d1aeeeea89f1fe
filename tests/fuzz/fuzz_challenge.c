/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a registry's response, its lines, and the challenges in it. */
#include "oci/challenge.h"
#include "oci/head.h"
#include "oci/media_type.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_challenge(const char *text)
{
	struct mkrootfs_error error;
	struct challenge challenge;
	char type[MEDIA_TYPE_SIZE];

	if (challenge_parse(&challenge, text, &error) == 0 && challenge.bearer &&
	    !challenge.realm[0])
		abort();
	media_type_from_header(type, text);
}

static void try_head(const char *data, size_t size)
{
	struct buf values = BUF_INIT(HEAD_MAX_SIZE);
	struct mkrootfs_error error;
	struct head head;

	head_init(&head);
	while (size > 0) {
		const char *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) + 1 : size;

		if (head_take_line(&head, data, len, &error) < 0)
			break;
		data += len;
		size -= len;
	}
	if (head_values(&values, &head, "WWW-Authenticate", &error) == 0 && values.len > 0)
		try_challenge((const char *)values.data);
	buf_free(&values);
	head_free(&head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	try_challenge(text);
	try_head(text, size);
	free(text);
	return 0;
}
