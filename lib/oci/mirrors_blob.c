/* SPDX-License-Identifier: Apache-2.0 */
#include "mirrors_parts.h"

#include <stdlib.h>

static struct blob_state *find_blob(const struct mirrors *m, const struct digest *digest)
{
	for (size_t i = 0; i < m->blob_count; i++) {
		if (digest_equal(&m->blobs[i]->digest, digest))
			return m->blobs[i];
	}
	return NULL;
}

static struct blob_state *add_blob(struct mirrors *m, const struct digest *digest)
{
	struct blob_state *blob = calloc(1, sizeof(*blob));
	struct blob_state **bigger = reallocarray(m->blobs, m->blob_count + 1, sizeof(*bigger));

	if (bigger)
		m->blobs = bigger;
	if (!bigger || !blob) {
		free(blob);
		return NULL;
	}
	blob->digest = *digest;
	m->blobs[m->blob_count++] = blob;
	return blob;
}

/* The source to open, or an error without memory. */
static int first_source(struct mirrors *m, const struct digest *digest,
			struct mkrootfs_error *error)
{
	struct blob_state *blob;
	int source = -1;

	pthread_mutex_lock(&m->lock);
	blob = find_blob(m, digest);
	if (!blob)
		blob = add_blob(m, digest);
	if (blob)
		source = blob->current = mirrors_pick(m, blob->tried);
	pthread_mutex_unlock(&m->lock);
	return blob ? source : error_no_memory(error);
}

/* The next source is made the current one. Without one, a later open begins anew. */
bool mirrors_next_source(struct transport *transport, const struct descriptor *descriptor,
			 struct mkrootfs_error *error)
{
	struct mirrors *m = mirrors_of(transport);
	const struct mkrootfs_error cause = *error;
	char digest[DIGEST_TEXT_SIZE];
	struct blob_state *blob;
	int source = 0, next = -1;

	pthread_mutex_lock(&m->lock);
	blob = find_blob(m, &descriptor->digest);
	if (blob && blob->current >= 0 && mirror_cause_is_remote(error)) {
		source = blob->current;
		blob->tried |= mirrors_bit(source);
		if (mirror_cause_is_network(error))
			m->late |= mirrors_bit(source);
		next = mirrors_pick(m, blob->tried);
	}
	if (next >= 0) {
		mirror_causes_add(&blob->causes, m->sources[source].name, error);
	} else if (blob) {
		mirror_causes_append(&blob->causes, error);
		blob->causes = (struct mirror_causes){ .len = 0 };
		blob->tried = 0;
		blob->current = -1;
	}
	pthread_mutex_unlock(&m->lock);
	digest_format(digest, &descriptor->digest);
	if (next >= 0)
		mirrors_warn(m, source, digest, &cause);
	return next >= 0;
}

int mirrors_open_blob(struct transport *transport, struct source **out,
		      const struct descriptor *descriptor, uint64_t offset,
		      struct mkrootfs_error *error)
{
	struct mirrors *m = mirrors_of(transport);

	*out = NULL;
	do {
		int source = first_source(m, &descriptor->digest, error);

		if (source < 0)
			return source;
		if (transport_open_blob(m->sources[source].transport, out, descriptor, offset,
					error) == 0)
			return 0;
	} while (mirrors_next_source(transport, descriptor, error));
	return error->status;
}
