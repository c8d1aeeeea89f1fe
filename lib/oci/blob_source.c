/* SPDX-License-Identifier: Apache-2.0 */
#include "blob_source.h"

#include "content_range.h"
#include "head.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ETAG_SIZE 200
#define ANSWER_MAX (64u << 10) /* bytes read of an unwanted answer, to keep its connection */

struct blob {
	struct source source;
	struct blob_options options;
	uint64_t at;			  /* of the next byte to lend */
	struct client_response *response; /* NULL: none is open */
	uint64_t skip;			  /* bytes of the response that were lent before */
	bool has_end;			  /* the response's clean end is the blob's */
	bool whole_only;		  /* ranges were answered wrongly: not asked for any more */
	char etag[ETAG_SIZE];		  /* a strong one, or empty */
	struct retry retry;
};

static void close_response(struct blob *blob)
{
	if (blob->response)
		source_close(&blob->response->body);
	blob->response = NULL;
}

/* ---- What an answer is ---- */

/* Of at most size - 1 bytes; longer or absent: empty. */
static void read_header(char *out, size_t size, const struct client_response *response,
			const char *name)
{
	struct buf value = BUF_INIT(HEAD_MAX_SIZE);
	struct mkrootfs_error ignored;

	out[0] = '\0';
	if (client_header(&value, response, name, &ignored) == 0 && value.len < size)
		memcpy(out, value.len ? (char *)value.data : "", value.len + 1);
	buf_free(&value);
}

/* Only a strong ETag says that the bytes are the same (RFC 9110, section 13.1.5). */
static void keep_etag(struct blob *blob)
{
	size_t len;

	read_header(blob->etag, sizeof(blob->etag), blob->response, "ETag");
	len = strlen(blob->etag);
	if (len < 2 || blob->etag[0] != '"' || blob->etag[len - 1] != '"')
		blob->etag[0] = '\0';
}

/* Else its end is that of the connection, which may come too early. */
static bool has_length(const struct client_response *response)
{
	char value[64];

	read_header(value, sizeof(value), response, "Content-Length");
	if (!value[0])
		read_header(value, sizeof(value), response, "Transfer-Encoding");
	return value[0] != '\0';
}

/* A 206 that goes on where the last byte was, or begins before that. */
static bool take_part(struct blob *blob)
{
	struct content_range range;
	char value[128];

	read_header(value, sizeof(value), blob->response, "Content-Range");
	if (!content_range_parse(&range, value) || range.first > blob->at ||
	    (range.has_total && range.total != blob->options.size))
		return false;
	blob->skip = blob->at - range.first;
	blob->has_end = false;
	return true;
}

static void take_whole(struct blob *blob)
{
	blob->skip = blob->at;
	blob->has_end = has_length(blob->response);
	keep_etag(blob);
}

/* ---- Opening ---- */

static int ask(struct blob *blob, struct mkrootfs_error *error)
{
	const struct blob_options *options = &blob->options;
	const struct blob_range range = {
		.offset = blob->whole_only ? 0 : blob->at,
		.if_range = blob->etag[0] ? blob->etag : NULL,
	};

	return options->open(&blob->response, options->user, &options->digest, &range, &blob->retry,
			     error);
}

static int open_response(struct blob *blob, struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;

	if (ask(blob, error) < 0)
		return error->status;
	if (blob->response->status == 206 && take_part(blob))
		return 0;
	if (blob->response->status != 200) {
		source_drain(&blob->response->body, ANSWER_MAX, &ignored);
		close_response(blob);
		blob->whole_only = true;
		if (ask(blob, error) < 0)
			return error->status;
	}
	take_whole(blob);
	return 0;
}

/* ---- Reading ---- */

/* Takes off what was lent before; what is left came anew. */
static void pass_over(struct blob *blob, const uint8_t **data, size_t *len)
{
	size_t skip = blob->skip < *len ? (size_t)blob->skip : *len;

	blob->skip -= skip;
	*data += skip;
	*len -= skip;
	if (*len == 0)
		return;
	blob->at += *len;
	retry_progress(&blob->retry);
}

/* A connection that broke behind the last byte did no harm. */
static bool is_complete(const struct blob *blob, int status)
{
	return (status == 0 && blob->has_end) || blob->at >= blob->options.size;
}

/* What broke, in error, and whether another answer may go on. */
static bool explain_break(const struct blob *blob, int status, struct mkrootfs_error *error)
{
	if (status < 0) {
		error_prefix(error, "at byte %" PRIu64 " of %" PRIu64 ": ", blob->at,
			     blob->options.size);
		return client_may_pass(blob->response);
	}
	error_set(error, MKROOTFS_ERROR_NETWORK,
		  "%s: the answer ended at byte %" PRIu64 " of %" PRIu64, blob->response->host,
		  blob->at, blob->options.size);
	error_advise(error, "check the network and try again");
	return true;
}

/* Makes ready for another answer, or fails with what broke. */
static int recover(struct blob *blob, int status, struct mkrootfs_error *error)
{
	bool may_pass = explain_break(blob, status, error);
	const struct mkrootfs_error reason = *error;

	close_response(blob);
	if (!may_pass || !retry_is_left(&blob->retry, RETRY_AFTER_UNKNOWN))
		return error->status;
	return retry_wait(&blob->retry, RETRY_AFTER_UNKNOWN, reason.message, error);
}

static int blob_next(struct source *source, const uint8_t **data, size_t *len,
		     struct mkrootfs_error *error)
{
	struct blob *blob = (struct blob *)source;
	int status = 0;

	while (status == 0) {
		if (!blob->response && open_response(blob, error) < 0)
			return error->status;
		status = source_next(&blob->response->body, data, len, error);
		if (status == 0 && *len > 0) {
			pass_over(blob, data, len);
			if (*len > 0)
				return 0;
			continue;
		}
		if (is_complete(blob, status))
			return 0;
		status = recover(blob, status, error);
	}
	return status;
}

static void blob_close(struct source *source)
{
	struct blob *blob = (struct blob *)source;

	close_response(blob);
	free(blob);
}

static const struct source_ops blob_ops = { .next = blob_next, .close = blob_close };

int source_blob(struct source **out, const struct blob_options *options,
		struct mkrootfs_error *error)
{
	char subject[DIGEST_TEXT_SIZE];
	struct blob *blob;

	*out = NULL;
	/* All of it is there already: nothing to ask for. */
	if (options->offset > 0 && options->offset >= options->size)
		return source_memory(out, "", 0, error);
	blob = calloc(1, sizeof(*blob));
	if (!blob)
		return error_no_memory(error);
	source_init(&blob->source, &blob_ops);
	blob->options = *options;
	blob->at = options->offset;
	digest_format(subject, &options->digest);
	retry_begin(&blob->retry, options->retry, subject);
	if (open_response(blob, error) < 0) {
		blob_close(&blob->source);
		return error->status;
	}
	*out = &blob->source;
	return 0;
}
