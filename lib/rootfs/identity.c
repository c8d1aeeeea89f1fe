/* SPDX-License-Identifier: Apache-2.0 */
#include "identity.h"

#include "../base/bytes.h"
#include "../erofs/xxh.h"

#define TEXT_MAX (32u << 20)

static int derive(uint8_t uuid[UUID_SIZE], const struct buf *text, struct mkrootfs_error *error)
{
	struct digest digest;
	int status = digest_of(&digest, DIGEST_SHA256, text->data, text->len, error);

	if (status == 0)
		uuid_from_digest(uuid, &digest);
	return status;
}

int identity_of_layer(uint8_t uuid[UUID_SIZE], const struct digest *diff_id,
		      struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(TEXT_MAX);
	char digest[DIGEST_TEXT_SIZE];
	int status;

	digest_format(digest, diff_id);
	status = buf_printf(&text, error, "mkrootfs layer %d\n%s\n", IDENTITY_FORMAT, digest);
	if (status == 0)
		status = derive(uuid, &text, error);
	buf_free(&text);
	return status;
}

int identity_of_fsmeta(uint8_t uuid[UUID_SIZE], const uint8_t (*layers)[UUID_SIZE], size_t count,
		       struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(TEXT_MAX);
	int status = buf_printf(&text, error, "mkrootfs fsmeta %d\n", IDENTITY_FORMAT);

	if (status == 0)
		status = buf_append(&text, layers, count * UUID_SIZE, error);
	if (status == 0)
		status = derive(uuid, &text, error);
	buf_free(&text);
	return status;
}

/* No SHA-256 here: to set up libcrypto would take ten times as long as to make the upper. */
int identity_of_upper(uint8_t uuid[UUID_SIZE], const struct buf *options,
		      struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(TEXT_MAX);
	struct digest digest = { 0 };
	int status = buf_printf(&text, error, "mkrootfs upper %d\n", IDENTITY_FORMAT);

	if (status == 0)
		status = buf_append(&text, options->data, options->len, error);
	if (status == 0) {
		put_le64(digest.bytes, xxh3_64(text.data, text.len, 0));
		put_le64(digest.bytes + 8, xxh3_64(text.data, text.len, 1));
		uuid_from_digest(uuid, &digest);
	}
	buf_free(&text);
	return status;
}
