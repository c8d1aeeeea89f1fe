/* SPDX-License-Identifier: Apache-2.0 */
#include "seal.h"

#include "../base/bytes.h"
#include "xxh.h"

#include <string.h>

/* Byte offsets in the image. */
enum {
	MAGIC = 0,
	VERSION = 8,
	TABLE_ENTRIES = 12,
	DATA_END = 16,
	TABLE_BLOCK = 20,
	BLOCKS = 24,
	METADATA_HASH = 32,
	TABLE_HASH = 40,
	SEAL_HASH = SEAL_SIZE - 8, /* of all before it */
};

static const uint8_t magic[8] = { 'm', 'k', 'r', 'o', 'o', 't', 'f', 's' };

void erofs_seal_encode(uint8_t out[SEAL_SIZE], const struct erofs_seal *seal)
{
	memset(out, 0, SEAL_SIZE);
	memcpy(out + MAGIC, magic, sizeof(magic));
	put_le32(out + VERSION, SEAL_VERSION);
	put_le32(out + TABLE_ENTRIES, seal->table_entries);
	put_le32(out + DATA_END, seal->data_end);
	put_le32(out + TABLE_BLOCK, seal->table_block);
	put_le32(out + BLOCKS, seal->blocks);
	put_le64(out + METADATA_HASH, seal->metadata_hash);
	put_le64(out + TABLE_HASH, seal->table_hash);
	put_le64(out + SEAL_HASH, xxh3_64(out, SEAL_HASH, 0));
}

/* Half of the magic says that there was a seal. Others may keep a boot sector here. */
static bool looks_like_seal(const uint8_t *bytes)
{
	unsigned equal = 0;

	for (size_t i = 0; i < sizeof(magic); i++)
		equal += bytes[MAGIC + i] == magic[i];
	return equal >= sizeof(magic) / 2;
}

static bool is_possible(const struct erofs_seal *seal)
{
	return seal->data_end >= 1 && seal->data_end <= seal->table_block &&
	       seal->table_block <= seal->blocks &&
	       seal->blocks - seal->table_block == erofs_seal_table_blocks(seal->table_entries) &&
	       seal->table_entries < seal->data_end &&
	       (seal->table_entries > 0) == (seal->data_end > 1);
}

enum seal_state erofs_seal_decode(struct erofs_seal *seal, const uint8_t bytes[SEAL_SIZE])
{
	memset(seal, 0, sizeof(*seal));
	if (!looks_like_seal(bytes))
		return SEAL_NONE;
	if (memcmp(bytes + MAGIC, magic, sizeof(magic)) != 0 ||
	    get_le64(bytes + SEAL_HASH) != xxh3_64(bytes, SEAL_HASH, 0))
		return SEAL_DAMAGED;
	if (get_le32(bytes + VERSION) != SEAL_VERSION)
		return SEAL_UNKNOWN;
	seal->table_entries = get_le32(bytes + TABLE_ENTRIES);
	seal->data_end = get_le32(bytes + DATA_END);
	seal->table_block = get_le32(bytes + TABLE_BLOCK);
	seal->blocks = get_le32(bytes + BLOCKS);
	seal->metadata_hash = get_le64(bytes + METADATA_HASH);
	seal->table_hash = get_le64(bytes + TABLE_HASH);
	return is_possible(seal) ? SEAL_SOUND : SEAL_DAMAGED;
}
