/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_blob.h"

/* Less is fetched again as fast as it is kept. */
#define KEEP_FROM (1 << 20)

int layer_blob_begin(struct layer_blob *blob, const struct layer_request *request,
		     struct mkrootfs_error *error)
{
	*blob = (struct layer_blob){ .request = request };
	if (!request->keep_partial || request->blob->size < KEEP_FROM)
		return 0;
	return partial_open(&blob->partial, request->store, &request->blob->digest,
			    (uint64_t)request->blob->size, error);
}

static int open_rest(struct source **out, const struct layer_request *request, uint64_t kept,
		     struct mkrootfs_error *error)
{
	if (kept == (uint64_t)request->blob->size)
		return source_memory(out, "", 0, error);
	return transport_open_blob(request->transport, out, request->blob, kept, error);
}

int layer_blob_open(struct layer_blob *blob, struct source **out, struct mkrootfs_error *error)
{
	uint64_t kept = blob->partial ? partial_size(blob->partial) : 0;
	struct source *rest;
	int status = open_rest(&rest, blob->request, kept, error);

	*out = rest;
	blob->resumed = kept > 0;
	if (status < 0 || !blob->partial)
		return status;
	status = source_kept(out, partial_fd(blob->partial), kept, rest,
			     (uint64_t)blob->request->blob->size, error);
	if (status < 0)
		source_close(rest);
	return status;
}

/* A later run finds the same bytes right where the network was all that failed. */
static bool is_worth_keeping(int status)
{
	switch (status) {
	case MKROOTFS_ERROR_DIGEST:
	case MKROOTFS_ERROR_MALFORMED:
	case MKROOTFS_ERROR_LIMIT:
	case MKROOTFS_ERROR_UNSUPPORTED:
	case MKROOTFS_ERROR_NO_SPACE:
		return false;
	default:
		return status < 0;
	}
}

bool layer_blob_again(struct layer_blob *blob, struct mkrootfs_error *error)
{
	const struct layer_request *request = blob->request;
	bool again = false;

	if (digest_equal(&blob->seen, &request->blob->digest))
		return false;
	if (blob->resumed && !is_worth_keeping(error->status))
		again = true;
	else
		again = transport_next_source(request->transport, request->blob, error);
	if (again && blob->partial)
		partial_clear(blob->partial);
	return again;
}

void layer_blob_end(struct layer_blob *blob, int status)
{
	partial_close(blob->partial, is_worth_keeping(status) ? PARTIAL_KEEP : PARTIAL_REMOVE);
	blob->partial = NULL;
}
