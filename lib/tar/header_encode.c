/* SPDX-License-Identifier: Apache-2.0 */
#include "header_encode.h"

#include "header_fields.h"

#include <assert.h>
#include <string.h>

void tar_encode_start(uint8_t block[TAR_BLOCK_SIZE], uint8_t type)
{
	memset(block, 0, TAR_BLOCK_SIZE);
	block[TAR_TYPE_OFFSET] = type;
	memcpy(block + TAR_MAGIC_OFFSET, "ustar\00000", 8);
	tar_encode_number(block, TAR_FIELD_DEVICE_MAJOR, 0);
	tar_encode_number(block, TAR_FIELD_DEVICE_MINOR, 0);
}

/* As much of the text as the field has room for. */
static size_t put_text(uint8_t *block, const struct tar_field_place *field, const char *text,
		       size_t len)
{
	size_t part = len < field->width ? len : field->width;

	memcpy(block + field->offset, text, part);
	return part;
}

/* The slash that parts a name into prefix and name; 0 when there is none. */
static size_t find_cut(const char *name, size_t len)
{
	size_t at = len > tar_name_field.width ? len - tar_name_field.width - 1 : 0;

	for (at = at ? at : 1; at + 1 < len && at <= tar_prefix_field.width; at++)
		if (name[at] == '/')
			return at;
	return 0;
}

/* The last component, without a slash behind it. */
static const char *last_of(const char *name, size_t *len)
{
	const char *slash;

	if (*len > 0 && name[*len - 1] == '/')
		--*len;
	slash = memrchr(name, '/', *len);
	if (!slash)
		return name;
	*len -= (size_t)(slash + 1 - name);
	return slash + 1;
}

bool tar_encode_name(uint8_t block[TAR_BLOCK_SIZE], const char *name, size_t len)
{
	size_t cut;

	if (len <= tar_name_field.width) {
		put_text(block, &tar_name_field, name, len);
		return true;
	}
	cut = find_cut(name, len);
	if (cut) {
		put_text(block, &tar_prefix_field, name, cut);
		put_text(block, &tar_name_field, name + cut + 1, len - cut - 1);
		return true;
	}
	name = last_of(name, &len);
	put_text(block, &tar_name_field, name, len);
	return false;
}

void tar_encode_name_in(uint8_t block[TAR_BLOCK_SIZE], const char *folder, const char *name,
			size_t len)
{
	size_t used = strlen(folder), room = tar_name_field.width - used - 1;

	assert(used + 1 < tar_name_field.width);
	name = last_of(name, &len);
	memcpy(block, folder, used);
	block[used] = '/';
	memcpy(block + used + 1, name, len < room ? len : room);
}

bool tar_encode_link(uint8_t block[TAR_BLOCK_SIZE], const char *link, size_t len)
{
	return put_text(block, &tar_link_field, link, len) == len;
}

/* Digits from the field's end, in front of its NUL. */
static void put_octal(uint8_t *block, const struct tar_field_place *field, uint64_t value)
{
	for (size_t i = field->width - 1u; i-- > 0; value >>= 3)
		block[field->offset + i] = (uint8_t)('0' + (value & 7));
}

bool tar_encode_number(uint8_t block[TAR_BLOCK_SIZE], enum tar_field field, int64_t value)
{
	const struct tar_field_place *place = &tar_fields[field];
	int64_t max = (1ll << 3 * (place->width - 1)) - 1;

	if (value < 0)
		put_octal(block, place, 0);
	else
		put_octal(block, place, (uint64_t)(value < max ? value : max));
	return value >= 0 && value <= max;
}

/* Made with its own field filled with blanks; six digits, a NUL and a blank. */
void tar_encode_seal(uint8_t block[TAR_BLOCK_SIZE])
{
	uint8_t *own = block + tar_checksum_field.offset;
	const struct tar_field_place digits = { .offset = tar_checksum_field.offset, .width = 7 };

	memset(own, ' ', tar_checksum_field.width);
	put_octal(block, &digits, tar_block_sum(block));
	own[6] = '\0';
}
