/* SPDX-License-Identifier: Apache-2.0 */
#include "extensions.h"

#include "../base/checked.h"

#include <inttypes.h>
#include <string.h>

enum { HEADER_NAME_SIZE = 100 };

void tar_extensions_init(struct tar_extensions *ext)
{
	*ext = (struct tar_extensions){
		.name.text = BUF_INIT(TAR_NAME_MAX + 1),
		.link.text = BUF_INIT(TAR_NAME_MAX + 1),
		.own_body = BUF_INIT(TAR_EXTENDED_MAX),
		.defaults_body = BUF_INIT(TAR_EXTENDED_MAX),
		.defaults_storage = BUF_INIT(TAR_DEFAULTS_MAX),
	};
	tar_attributes_init(&ext->own, &ext->map);
	tar_attributes_init(&ext->defaults, NULL);
}

void tar_extensions_free(struct tar_extensions *ext)
{
	tar_attributes_free(&ext->own);
	tar_attributes_free(&ext->defaults);
	tar_sparse_free(&ext->map);
	buf_free(&ext->name.text);
	buf_free(&ext->link.text);
	buf_free(&ext->own_body);
	buf_free(&ext->defaults_body);
	buf_free(&ext->defaults_storage);
}

void tar_extensions_clear(struct tar_extensions *ext)
{
	if (ext->has_own)
		tar_attributes_clear(&ext->own);
	ext->has_own = false;
	ext->name.is_set = false;
	ext->link.is_set = false;
}

bool tar_extensions_are_pending(const struct tar_extensions *ext)
{
	return ext->has_own || ext->name.is_set || ext->link.is_set;
}

static int body_size(uint64_t *out, const struct tar_header *header, uint64_t cap,
		     struct mkrootfs_error *error)
{
	int64_t size;
	int status = tar_header_number(&size, header, TAR_FIELD_SIZE, error);

	*out = 0;
	if (status < 0)
		return status;
	if (size < 0)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "its size is negative");
	if ((uint64_t)size > cap)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "it has %" PRId64 " bytes, the limit is %" PRIu64, size, cap);
	*out = (uint64_t)size;
	return 0;
}

static uint64_t padding_of(uint64_t size)
{
	return -size % TAR_BLOCK_SIZE;
}

static int ends_inside(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "the archive ends inside it");
}

/* A short padding at the end is no fault here: the missing member will be one. */
static int read_body(struct buf *out, const struct tar_header *header, struct tar_input *input,
		     struct mkrootfs_error *error)
{
	const uint8_t *data;
	uint64_t size, padding, left;
	size_t len;
	int status = body_size(&size, header, out->cap, error);

	padding = padding_of(size);
	buf_clear(out);
	if (status == 0)
		status = buf_append(out, "", 0, error);
	while (status == 0 && size > 0) {
		status = tar_input_take(&data, &len, input, size, error);
		if (status == 0 && len == 0)
			return ends_inside(error);
		if (status == 0)
			status = buf_append(out, data, len, error);
		size -= len;
	}
	return status < 0 ? status : tar_input_skip(&left, input, padding, error);
}

static int skip_body(const struct tar_header *header, struct tar_input *input,
		     struct mkrootfs_error *error)
{
	uint64_t size, left;
	int status = body_size(&size, header, INT64_MAX - TAR_BLOCK_SIZE, error);

	if (status == 0)
		status = tar_input_skip(&left, input, size + padding_of(size), error);
	if (status == 0 && left > padding_of(size))
		return ends_inside(error);
	return status;
}

static int read_own(struct tar_extensions *ext, const struct tar_header *header,
		    struct tar_input *input, struct mkrootfs_error *error)
{
	struct tar_text body;
	int status = read_body(&ext->own_body, header, input, error);

	if (status < 0)
		return status;
	if (ext->has_own)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "a second one in front of the same member");
	ext->has_own = true;
	tar_sparse_clear(&ext->map); /* a header 'S' may have filled it */
	body = (struct tar_text){ (char *)ext->own_body.data, ext->own_body.len };
	return tar_attributes_parse(&ext->own, body, error);
}

static int read_defaults(struct tar_extensions *ext, const struct tar_header *header,
			 struct tar_input *input, struct mkrootfs_error *error)
{
	struct tar_xattrs *xattrs = &ext->defaults.xattrs;
	struct tar_text body;
	int status = read_body(&ext->defaults_body, header, input, error);

	if (status < 0)
		return status;
	body = (struct tar_text){ (char *)ext->defaults_body.data, ext->defaults_body.len };
	status = tar_xattrs_inherit(xattrs, xattrs, error);
	if (status == 0)
		status = tar_attributes_parse(&ext->defaults, body, error);
	if (status == 0)
		status = tar_xattrs_finish(xattrs, &ext->warning, error);
	if (status == 0)
		status = tar_attributes_keep(&ext->defaults, &ext->defaults_storage, error);
	return status;
}

static int read_long(struct tar_long_text *out, const struct tar_header *header,
		     struct tar_input *input, struct mkrootfs_error *error)
{
	int status = read_body(&out->text, header, input, error);

	if (status == 0 && out->is_set)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "a second one in front of the same member");
	if (status < 0)
		return status;
	out->text.len = strlen((char *)out->text.data); /* GNU tar stores a NUL at its end */
	out->is_set = true;
	return 0;
}

/* Returns 1 for a type that is none of the extensions'. */
static int read_type(struct tar_extensions *ext, const struct tar_header *header,
		     struct tar_input *input, struct mkrootfs_error *error)
{
	switch (header->type) {
	case 'x':
	case 'X':
		return read_own(ext, header, input, error);
	case 'g':
		return read_defaults(ext, header, input, error);
	case 'L':
		return read_long(&ext->name, header, input, error);
	case 'K':
		return read_long(&ext->link, header, input, error);
	case 'A':
	case 'V':
		return skip_body(header, input, error);
	default:
		return 1;
	}
}

int tar_extensions_read(struct tar_extensions *ext, const struct tar_header *header,
			struct tar_input *input, struct mkrootfs_error *error)
{
	const uint64_t offset = input->offset - TAR_BLOCK_SIZE;
	const uint8_t type = header->type;
	char name[HEADER_NAME_SIZE]; /* of the extension: writers put the member's into it */
	int status;

	ext->warning = NULL;
	memcpy(name, header->block, sizeof(name));
	status = read_type(ext, header, input, error);
	if (status < 0)
		return error_prefix(error, "tar extension header '%c' (%.*s) at byte %" PRIu64 ": ",
				    type, (int)sizeof(name), name, offset);
	return status == 0;
}
