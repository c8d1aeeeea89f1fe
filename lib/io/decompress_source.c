/* SPDX-License-Identifier: Apache-2.0 */
#include "peek_source.h"
#include "sniff.h"
#include "source.h"

_Static_assert(SNIFF_MAX <= PEEK_MAX, "all that sniff may ask for can be peeked");

static int identify(enum sniff_kind *kind, struct peek *peek, struct mkrootfs_error *error)
{
	const uint8_t *head;
	const char *name;
	size_t len;
	bool at_end;
	int status;

	do {
		status = peek_more(peek, &head, &len, &at_end, error);
		if (status < 0)
			return status;
		*kind = sniff(head, len, at_end, &name);
	} while (*kind == SNIFF_MORE);
	if (*kind == SNIFF_OTHER)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "compressed by %s; only gzip and zstd are supported", name);
	return 0;
}

/* Takes peeked on success only. */
static int decode(struct source **out, enum compression *found, enum sniff_kind kind,
		  struct source *peeked, struct mkrootfs_error *error)
{
	switch (kind) {
	case SNIFF_GZIP:
		*found = COMPRESSION_GZIP;
		return source_gunzip(out, peeked, error);
	case SNIFF_ZSTD:
		*found = COMPRESSION_ZSTD;
		return source_zstd(out, peeked, error);
	default:
		*found = COMPRESSION_NONE;
		*out = peeked;
		return 0;
	}
}

int source_decompress(struct source **out, enum compression *found, struct source *inner,
		      struct mkrootfs_error *error)
{
	enum compression compression = COMPRESSION_NONE;
	enum sniff_kind kind;
	struct peek *peek;
	int status;

	*out = NULL;
	status = peek_create(&peek, inner, error);
	if (status < 0)
		return status;
	status = identify(&kind, peek, error);
	if (status == 0)
		status = decode(out, &compression, kind, peek_commit(peek), error);
	if (status < 0)
		peek_abandon(peek);
	if (found)
		*found = compression;
	return status;
}
