/* SPDX-License-Identifier: Apache-2.0 */
#include "config_cache.h"

#include "../oci/config.h"
#include "../oci/reference.h"
#include "image.h"

#include <stdlib.h>
#include <string.h>

struct config_cache {
	struct transport transport;
	struct transport *inner;
	char *store;
	struct digest manifest; /* of the document that was fetched last */
	bool asked;		/* for the first blob behind it, which is its config */
	struct buf bytes;	/* of the config that is lent */
};

static struct config_cache *cache_of(struct transport *transport)
{
	return (struct config_cache *)transport;
}

static int fetch_manifest(struct transport *transport, struct transport_document *out,
			  const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct config_cache *cache = cache_of(transport);
	int status = transport_fetch_manifest(cache->inner, out, tag_or_digest, error);

	if (status < 0)
		return status;
	cache->asked = false;
	return digest_of(&cache->manifest, DIGEST_SHA256, out->bytes.data, out->bytes.len, error);
}

/* Whether the store's folder of the current manifest holds a blob with that digest as its config.
 */
static bool read_stored(struct config_cache *cache, const struct descriptor *descriptor)
{
	struct buf path = BUF_INIT(REFERENCE_PATH_SIZE + DIGEST_TEXT_SIZE);
	char hex[DIGEST_TEXT_SIZE];
	struct mkrootfs_error ignored;
	struct source *source = NULL;
	struct digest digest;
	bool same = false;

	digest_format_hex(hex, &cache->manifest);
	buf_clear(&cache->bytes);
	if (buf_printf(&path, &ignored, "%s/images/%s/" IMAGE_CONFIG, cache->store, hex) == 0 &&
	    source_file(&source, (char *)path.data, &ignored) == 0 &&
	    source_read_all(&cache->bytes, source, &ignored) == 0 &&
	    digest_of(&digest, descriptor->digest.algorithm, cache->bytes.data, cache->bytes.len,
		      &ignored) == 0)
		same = digest_equal(&digest, &descriptor->digest);
	source_close(source);
	buf_free(&path);
	return same;
}

/* Only the first blob behind a document: from then on threads may ask for layers. */
static int open_blob(struct transport *transport, struct source **out,
		     const struct descriptor *descriptor, uint64_t offset,
		     struct mkrootfs_error *error)
{
	struct config_cache *cache = cache_of(transport);
	bool first = !cache->asked;

	if (first)
		cache->asked = true;
	if (first && offset == 0 && read_stored(cache, descriptor))
		return source_memory(out, cache->bytes.data, cache->bytes.len, error);
	return transport_open_blob(cache->inner, out, descriptor, offset, error);
}

static void close_cache(struct transport *transport)
{
	struct config_cache *cache = cache_of(transport);

	transport_close(cache->inner);
	buf_free(&cache->bytes);
	free(cache->store);
	free(cache);
}

static bool next_source(struct transport *transport, const struct descriptor *descriptor,
			struct mkrootfs_error *error)
{
	return transport_next_source(cache_of(transport)->inner, descriptor, error);
}

static const struct transport_ops config_cache_ops = {
	fetch_manifest,
	open_blob,
	close_cache,
	next_source,
};

int config_cache_wrap(struct transport **transport, const char *store, struct mkrootfs_error *error)
{
	struct config_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return error_no_memory(error);
	cache->transport.ops = &config_cache_ops;
	cache->manifest.algorithm = DIGEST_SHA256;
	cache->bytes = BUF_INIT(CONFIG_MAX_SIZE);
	cache->store = strdup(store);
	if (!cache->store) {
		free(cache);
		return error_no_memory(error);
	}
	cache->inner = *transport;
	*transport = &cache->transport;
	return 0;
}
