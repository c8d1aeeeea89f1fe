/* SPDX-License-Identifier: Apache-2.0 */
#include "media_type.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *type;
	enum media_kind kind;
} kinds[] = {
	{ MEDIA_OCI_INDEX, MEDIA_KIND_INDEX },
	{ MEDIA_DOCKER_LIST, MEDIA_KIND_INDEX },
	{ MEDIA_OCI_MANIFEST, MEDIA_KIND_MANIFEST },
	{ MEDIA_DOCKER_MANIFEST, MEDIA_KIND_MANIFEST },
	{ MEDIA_DOCKER_SCHEMA1, MEDIA_KIND_SCHEMA1 },
	{ MEDIA_DOCKER_SCHEMA1_SIGNED, MEDIA_KIND_SCHEMA1 },
};

enum media_kind media_type_kind(const char *type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(type, kinds[i].type))
			return kinds[i].kind;
	return MEDIA_KIND_UNKNOWN;
}

void media_type_from_header(char out[MEDIA_TYPE_SIZE], const char *header)
{
	size_t len = 0;

	header += strspn(header, " \t");
	for (; len + 1 < MEDIA_TYPE_SIZE && !strchr("; \t,", header[len]); len++)
		out[len] = header[len] >= 'A' && header[len] <= 'Z' ? (char)(header[len] + 32)
								    : header[len];
	out[len] = '\0';
}

bool media_type_is_image_config(const char *type)
{
	return !strcmp(type, MEDIA_OCI_CONFIG) || !strcmp(type, MEDIA_DOCKER_CONFIG) ||
	       !strcmp(type, "application/octet-stream");
}
