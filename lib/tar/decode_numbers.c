/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"
#include "header_fields.h"

#include <inttypes.h>
#include <string.h>

#define ID_MAX 0xfffffffe	 /* 2^32 - 1 means "no id" to the kernel */
#define DEVICE_MAJOR_MAX 0xfff	 /* Linux: 12 bits */
#define DEVICE_MINOR_MAX 0xfffff /* and 20 bits */

int tar_decoding_no_number(const struct tar_decoding *d, const struct tar_text *value,
			   const char *what)
{
	return error_set(d->error, MKROOTFS_ERROR_MALFORMED, "%s '%.40s' is no number", what,
			 value->data);
}

int tar_decoding_number(int64_t *out, const struct tar_decoding *d, enum tar_key key,
			enum tar_field field, const char *what)
{
	const struct tar_text *value = tar_decoding_value(d, key);

	if (!value)
		return tar_header_number(out, d->header, field, d->error);
	return tar_decimal(out, value) ? 0 : tar_decoding_no_number(d, value, what);
}

/* A number of 0 to max. */
static int decode_ranged(uint32_t *out, const struct tar_decoding *d, enum tar_key key,
			 enum tar_field field, const char *what, uint32_t max)
{
	int64_t number = 0;
	int status = tar_decoding_number(&number, d, key, field, what);

	if (status < 0)
		return status;
	if (number < 0 || number > max)
		return error_set(d->error, MKROOTFS_ERROR_MALFORMED,
				 "%s %" PRId64 " is out of range (0 to %u)", what, number, max);
	*out = (uint32_t)number;
	return 0;
}

static int decode_mode(const struct tar_decoding *d)
{
	int64_t mode = 0;
	int status = tar_header_number(&mode, d->header, TAR_FIELD_MODE, d->error);

	d->member->entry.mode = (uint32_t)mode & 07777; /* old writers add the type's bits */
	return status;
}

static int decode_owner(const struct tar_decoding *d)
{
	struct tar_entry *entry = &d->member->entry;
	int status = decode_ranged(&entry->uid, d, TAR_KEY_UID, TAR_FIELD_UID, "uid", ID_MAX);

	if (status == 0)
		status = decode_ranged(&entry->gid, d, TAR_KEY_GID, TAR_FIELD_GID, "gid", ID_MAX);
	return status;
}

int tar_decode_mode_and_owner(const struct tar_decoding *d)
{
	const uint8_t *bytes = d->header->block + tar_fields[TAR_FIELD_MODE].offset;
	bool by_header = !tar_decoding_value(d, TAR_KEY_UID) && !tar_decoding_value(d, TAR_KEY_GID);
	struct tar_last_fields *last = &d->member->last;
	struct tar_entry *entry = &d->member->entry;
	int status;

	if (by_header && last->has_owner && !memcmp(bytes, last->owner_bytes, 24)) {
		entry->mode = last->mode;
		entry->uid = last->uid;
		entry->gid = last->gid;
		return 0;
	}
	status = decode_mode(d);
	if (status == 0)
		status = decode_owner(d);
	last->has_owner = status == 0 && by_header;
	memcpy(last->owner_bytes, bytes, 24);
	last->mode = entry->mode;
	last->uid = entry->uid;
	last->gid = entry->gid;
	return status;
}

static int decode_header_mtime(const struct tar_decoding *d)
{
	const uint8_t *bytes = d->header->block + tar_fields[TAR_FIELD_MTIME].offset;
	struct tar_last_fields *last = &d->member->last;
	struct tar_entry *entry = &d->member->entry;
	int status = 0;

	if (!last->has_mtime || memcmp(bytes, last->mtime_bytes, 12) != 0) {
		status = tar_header_number(&last->mtime, d->header, TAR_FIELD_MTIME, d->error);
		last->has_mtime = status == 0;
		memcpy(last->mtime_bytes, bytes, 12);
	}
	entry->mtime = last->mtime;
	return status;
}

int tar_decode_mtime(const struct tar_decoding *d)
{
	const struct tar_text *value = tar_decoding_value(d, TAR_KEY_MTIME);
	struct tar_entry *entry = &d->member->entry;

	entry->mtime_nsec = 0;
	if (!value)
		return decode_header_mtime(d);
	if (!tar_decimal_time(&entry->mtime, &entry->mtime_nsec, value))
		return tar_decoding_no_number(d, value, "mtime");
	return 0;
}

int tar_decode_device(const struct tar_decoding *d)
{
	struct tar_entry *entry = &d->member->entry;
	int status;

	entry->device_major = entry->device_minor = 0;
	if (entry->type != TAR_CHARACTER && entry->type != TAR_BLOCK)
		return 0;
	if (d->header->form == TAR_FORM_V7)
		return tar_decoding_malformed(d, "a v7 header has no device number");
	status = decode_ranged(&entry->device_major, d, TAR_KEY_DEVICE_MAJOR,
			       TAR_FIELD_DEVICE_MAJOR, "device major", DEVICE_MAJOR_MAX);
	if (status == 0)
		status = decode_ranged(&entry->device_minor, d, TAR_KEY_DEVICE_MINOR,
				       TAR_FIELD_DEVICE_MINOR, "device minor", DEVICE_MINOR_MAX);
	return status;
}
