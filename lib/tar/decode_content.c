/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

#include <inttypes.h>
#include <string.h>

#define MEMBER_SIZE_MAX (INT64_MAX - 1) /* INT64_MAX also stands for all that is larger */

static int set_size(uint64_t *out, const struct tar_decoding *d, int64_t size)
{
	if (size < 0 || size > MEMBER_SIZE_MAX)
		return error_set(d->error, MKROOTFS_ERROR_MALFORMED,
				 "size %" PRId64 " is out of range", size);
	*out = (uint64_t)size;
	return 0;
}

int tar_decode_size(const struct tar_decoding *d)
{
	struct tar_member *member = d->member;
	int64_t size = 0;
	int status = tar_decoding_number(&size, d, TAR_KEY_SIZE, TAR_FIELD_SIZE, "size");

	if (status == 0)
		status = set_size(&member->stored_size, d, size);
	member->entry.size = member->entry.type == TAR_FILE ? member->stored_size : 0;
	return status;
}

static bool is(const struct tar_text *value, const char *text)
{
	return value && !strcmp(value->data, text);
}

static int decode_real_size(const struct tar_decoding *d, enum tar_key key)
{
	const struct tar_text *value = tar_decoding_value(d, key);
	int64_t size;

	if (!value)
		return tar_decoding_malformed(d, "sparse file without its real size");
	if (!tar_decimal(&size, value))
		return tar_decoding_no_number(d, value, "real size");
	return set_size(&d->ext->map.real_size, d, size);
}

/* Records of 0.0 may have filled it already. */
static int check_one_map(const struct tar_decoding *d)
{
	if (d->ext->map.count > 0 || d->ext->map.is_pending)
		return tar_decoding_malformed(d, "two sparse maps");
	return 0;
}

static int read_sparse_records(const struct tar_decoding *d)
{
	const struct tar_text *list = tar_decoding_value(d, TAR_KEY_SPARSE_MAP);
	const struct tar_text *major = tar_decoding_value(d, TAR_KEY_SPARSE_MAJOR);
	const struct tar_text *minor = tar_decoding_value(d, TAR_KEY_SPARSE_MINOR);
	int status;

	if (is(major, "1") && is(minor, "0")) {
		status = check_one_map(d);
		if (status == 0)
			status = decode_real_size(d, TAR_KEY_SPARSE_REAL_SIZE);
		return status < 0 ? status
				  : tar_sparse_read_text(&d->ext->map, &d->member->stored_size,
							 d->input, d->error);
	}
	if (major && !is(major, "0"))
		return error_set(d->error, MKROOTFS_ERROR_UNSUPPORTED,
				 "sparse format %.10s.%.10s is unknown", major->data,
				 minor ? minor->data : "?");
	status = list ? check_one_map(d) : 0;
	if (status == 0)
		status = decode_real_size(d, TAR_KEY_SPARSE_SIZE);
	if (status == 0 && list)
		status = tar_sparse_parse_list(&d->ext->map, list, d->error);
	return status;
}

static int read_sparse_header(const struct tar_decoding *d)
{
	int64_t size = 0;
	int status;

	if (d->header->form != TAR_FORM_GNU)
		return error_set(d->error, MKROOTFS_ERROR_UNSUPPORTED,
				 "a sparse file in a form that is not GNU's");
	tar_sparse_clear(&d->ext->map);
	status = tar_header_number(&size, d->header, TAR_FIELD_REAL_SIZE, d->error);
	if (status == 0)
		status = set_size(&d->ext->map.real_size, d, size);
	return status < 0 ? status
			  : tar_sparse_read_header(&d->ext->map, d->header, d->input, d->error);
}

/* Reads behind the header: the last thing to be decoded. */
int tar_decode_sparse(const struct tar_decoding *d)
{
	bool by_header = d->header->type == 'S';
	bool by_records = d->ext->has_own && tar_attributes_are_sparse(&d->ext->own);
	struct tar_entry *entry = &d->member->entry;
	int status;

	entry->sparse = by_header || by_records;
	if (!entry->sparse)
		return 0;
	if (entry->type != TAR_FILE || (by_header && by_records))
		return tar_decoding_malformed(d, "a sparse map where none may be");
	status = by_header ? read_sparse_header(d) : read_sparse_records(d);
	if (status == 0)
		status = tar_sparse_check(&d->ext->map, d->member->stored_size, d->error);
	entry->size = d->ext->map.real_size;
	return status;
}
