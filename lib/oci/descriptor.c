/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include <stdio.h>
#include <string.h>

static int malformed(struct mkrootfs_error *error, const char *why)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", why);
}

static int parse(struct descriptor *out, const struct jval *object, struct mkrootfs_error *error)
{
	const struct jval *type = jval_get(object, "mediaType");
	const char *digest = jval_text(jval_get(object, "digest"));

	if (!jval_is_object(object))
		return malformed(error, "the descriptor is no JSON object");
	if (!digest)
		return malformed(error, "the descriptor has no digest");
	if (digest_parse(&out->digest, digest, error) < 0)
		return error->status;
	if (!jval_integer(&out->size, jval_get(object, "size")) || out->size < 0)
		return malformed(error, "the descriptor's size is no number of bytes");
	if (!jval_is_absent(type) && !jval_text(type))
		return malformed(error, "the descriptor's mediaType is no string");
	if (jval_text(type))
		snprintf(out->media_type, sizeof(out->media_type), "%s", jval_text(type));
	return 0;
}

int descriptor_parse(struct descriptor *out, const struct jval *object,
		     struct mkrootfs_error *error)
{
	int status;

	memset(out, 0, sizeof(*out));
	status = parse(out, object, error);
	if (status < 0)
		memset(out, 0, sizeof(*out));
	return status;
}
