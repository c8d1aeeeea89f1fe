/* SPDX-License-Identifier: Apache-2.0 */
#include "fetch.h"

#include <inttypes.h>
#include <string.h>

static int count_up(struct fetcher *fetcher, struct mkrootfs_error *error)
{
	if (fetcher->count >= FETCH_MAX_DOCUMENTS)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "the image needs more than %d documents", FETCH_MAX_DOCUMENTS);
	fetcher->count++;
	return 0;
}

static int check_digest(const struct buf *bytes, const struct digest *expected,
			struct mkrootfs_error *error)
{
	char is[DIGEST_TEXT_SIZE], should[DIGEST_TEXT_SIZE];
	struct digest actual;

	if (digest_of(&actual, expected->algorithm, bytes->data, bytes->len, error) < 0)
		return error->status;
	if (digest_equal(&actual, expected))
		return 0;
	digest_format(is, &actual);
	digest_format(should, expected);
	return error_set(error, MKROOTFS_ERROR_DIGEST, "the content has digest %s, expected %s", is,
			 should);
}

static int check_size(const struct buf *bytes, int64_t expected, struct mkrootfs_error *error)
{
	if (bytes->len == (uint64_t)expected)
		return 0;
	return error_set(error, MKROOTFS_ERROR_DIGEST,
			 "its size is not the %" PRId64 " bytes that its descriptor gives",
			 expected);
}

/* Takes over raw->bytes, on failure too. */
static int load_described(struct document *out, struct transport_document *raw,
			  const struct descriptor *descriptor, struct mkrootfs_error *error)
{
	char digest[DIGEST_TEXT_SIZE];
	int status = check_size(&raw->bytes, descriptor->size, error);

	if (status == 0)
		status = check_digest(&raw->bytes, &descriptor->digest, error);
	if (status == 0)
		status = document_load(out, &raw->bytes, descriptor->media_type, error);
	if (status == 0)
		status = document_check_type(out, descriptor->media_type, error);
	if (status == 0)
		return 0;
	document_free(out);
	digest_format(digest, &descriptor->digest);
	return error_prefix(error, "manifest %s: ", digest);
}

int fetch_first(struct fetcher *fetcher, struct transport_document *raw,
		struct mkrootfs_error *error)
{
	memset(raw, 0, sizeof(*raw));
	raw->bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	if (count_up(fetcher, error) == 0 &&
	    transport_fetch_manifest(fetcher->transport, raw, NULL, error) == 0)
		return 0;
	buf_free(&raw->bytes);
	return error->status;
}

int fetch_load_first(struct document *out, struct transport_document *raw,
		     const struct digest *expected, struct mkrootfs_error *error)
{
	int status = expected ? check_digest(&raw->bytes, expected, error) : 0;

	memset(out, 0, sizeof(*out));
	if (status == 0 && raw->described)
		status = load_described(out, raw, &raw->descriptor, error);
	else if (status == 0)
		status = document_load(out, &raw->bytes, raw->media_type, error);
	buf_free(&raw->bytes);
	return status;
}

/* The size that the descriptor gives bounds what is read, to one byte more. */
static int fetch_raw(struct fetcher *fetcher, struct transport_document *raw,
		     const struct descriptor *descriptor, struct mkrootfs_error *error)
{
	char digest[DIGEST_TEXT_SIZE];
	int status = count_up(fetcher, error);

	if (status == 0 && descriptor->size > DOCUMENT_MAX_SIZE)
		status = error_set(error, MKROOTFS_ERROR_LIMIT,
				   "%" PRId64 " bytes are more than the limit of %u for a manifest",
				   descriptor->size, DOCUMENT_MAX_SIZE);
	if (status < 0)
		return status;
	raw->bytes.cap = (size_t)descriptor->size + 1;
	digest_format(digest, &descriptor->digest);
	status = transport_fetch_manifest(fetcher->transport, raw, digest, error);
	if (status == MKROOTFS_ERROR_LIMIT)
		return error_set(error, MKROOTFS_ERROR_DIGEST,
				 "manifest %s has more than the %" PRId64
				 " bytes that its descriptor gives",
				 digest, descriptor->size);
	return status;
}

int fetch_document(struct fetcher *fetcher, struct document *out,
		   const struct descriptor *descriptor, struct mkrootfs_error *error)
{
	struct transport_document raw = { .bytes = BUF_INIT(0) };
	int status = fetch_raw(fetcher, &raw, descriptor, error);

	memset(out, 0, sizeof(*out));
	if (status == 0)
		status = load_described(out, &raw, descriptor, error);
	buf_free(&raw.bytes);
	return status;
}

static int open_verified(struct source **out, struct transport *transport,
			 const struct descriptor *descriptor, const char *what,
			 struct mkrootfs_error *error)
{
	const struct source_check check = { .expected = &descriptor->digest,
					    .size = descriptor->size,
					    .what = what };
	struct source *raw;

	*out = NULL;
	if (transport_open_blob(transport, &raw, descriptor, 0, error) < 0)
		return error->status;
	if (source_verify(out, raw, &check, error) < 0)
		source_close(raw);
	return *out ? 0 : error->status;
}

static int read_blob(struct buf *out, struct transport *transport,
		     const struct descriptor *descriptor, const char *what,
		     struct mkrootfs_error *error)
{
	struct source *source;
	int status = open_verified(&source, transport, descriptor, what, error);

	if (status == 0)
		status = source_read_all(out, source, error);
	source_close(source);
	return status;
}

int fetch_blob(struct fetcher *fetcher, struct buf *out, const struct descriptor *descriptor,
	       const char *what, struct mkrootfs_error *error)
{
	size_t before = out->len;
	int status = count_up(fetcher, error);

	if (status == 0 && (uint64_t)descriptor->size > out->cap)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%s of %" PRId64 " bytes is above the limit of %zu", what,
				 descriptor->size, out->cap);
	if (status < 0)
		return status;
	do {
		out->len = before;
		status = read_blob(out, fetcher->transport, descriptor, what, error);
	} while (status < 0 && transport_next_source(fetcher->transport, descriptor, error));
	return status;
}
