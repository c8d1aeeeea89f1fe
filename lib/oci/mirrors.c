/* SPDX-License-Identifier: Apache-2.0 */
#include "mirrors.h"

#include "document.h"
#include "mirror_causes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCES_MAX 64 /* as many as a mask has bits */

typedef uint64_t source_mask;

struct source_entry {
	struct transport *transport;
	char *name;
};

/* A blob that was opened. */
struct blob_state {
	struct digest digest;
	int current;	   /* the source that was opened last; -1: none, or all have failed */
	source_mask tried; /* those that failed */
	struct mirror_causes causes;
};

struct mirrors {
	struct transport transport;
	struct mirrors_options options;
	struct source_entry *sources;
	int count;
	pthread_mutex_t lock; /* for what follows */
	source_mask late;     /* sources to ask after the others */
	struct blob_state **blobs;
	size_t blob_count;
};

static struct mirrors *mirrors_of(struct transport *transport)
{
	return (struct mirrors *)transport;
}

static source_mask bit(int source)
{
	return (source_mask)1 << source;
}

/* The next source to ask, or -1. Called under the lock, as are all that take a blob's state. */
static int pick(const struct mirrors *m, source_mask tried)
{
	for (int late = 0; late < 2; late++) {
		for (int i = 0; i < m->count; i++) {
			if (!(tried & bit(i)) && ((m->late & bit(i)) != 0) == late)
				return i;
		}
	}
	return -1;
}

static void warn(const struct mirrors *m, int source, const char *what,
		 const struct mkrootfs_error *cause)
{
	char reason[800], text[1024];

	if (!m->options.warn)
		return;
	mirror_cause_format(reason, sizeof(reason), m->sources[source].name, cause);
	snprintf(text, sizeof(text), "%.150s: passed over a source: %s", what, reason);
	m->options.warn(m->options.warn_user, text);
}

/* ---- Manifests ---- */

static int check_digest(const struct buf *bytes, const struct digest *expected,
			struct mkrootfs_error *error)
{
	char is[DIGEST_TEXT_SIZE];
	struct digest actual;

	if (digest_of(&actual, expected->algorithm, bytes->data, bytes->len, error) < 0)
		return error->status;
	digest_format(is, &actual);
	return digest_equal(&actual, expected)
		       ? 0
		       : error_set(error, MKROOTFS_ERROR_DIGEST,
				   "the manifest has another digest: %s", is);
}

/* A tag may mean anything, but not a web page. */
static int check_kind(const struct transport_document *document, struct mkrootfs_error *error)
{
	enum document_kind kind;
	struct jval *root;
	int status = jval_parse(&root, document->bytes.data, document->bytes.len, error);

	if (status < 0)
		return error_prefix(error, "the manifest is ");
	status = document_classify(&kind, root, document->media_type, error);
	jval_free(root);
	return status;
}

static int check_document(const struct mirrors *m, const struct transport_document *document,
			  const char *tag_or_digest, struct mkrootfs_error *error)
{
	const struct reference *reference = m->options.reference;
	struct digest digest;

	if (tag_or_digest)
		return digest_parse(&digest, tag_or_digest, error) < 0
			       ? error->status
			       : check_digest(&document->bytes, &digest, error);
	return reference->has_digest ? check_digest(&document->bytes, &reference->digest, error)
				     : check_kind(document, error);
}

static int fetch_from(struct mirrors *m, int source, struct transport_document *out,
		      const char *tag_or_digest, struct mkrootfs_error *error)
{
	int status;

	buf_clear(&out->bytes);
	out->media_type[0] = '\0';
	out->described = false;
	status = transport_fetch_manifest(m->sources[source].transport, out, tag_or_digest, error);
	return status < 0 ? status : check_document(m, out, tag_or_digest, error);
}

/* Returns the next source to ask; -1: there is none, or none can help. */
static int next_after(struct mirrors *m, int source, source_mask *tried,
		      const struct mkrootfs_error *cause)
{
	int next = -1;

	pthread_mutex_lock(&m->lock);
	*tried |= bit(source);
	if (mirror_cause_is_remote(cause)) {
		m->late |= bit(source);
		next = pick(m, *tried);
	}
	pthread_mutex_unlock(&m->lock);
	return next;
}

static int mirrors_fetch_manifest(struct transport *transport, struct transport_document *out,
				  const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct mirrors *m = mirrors_of(transport);
	const char *image = m->options.reference->text;
	struct mirror_causes causes = { .len = 0 };
	source_mask tried = 0;
	int source, next;

	pthread_mutex_lock(&m->lock);
	source = pick(m, tried);
	pthread_mutex_unlock(&m->lock);
	while (fetch_from(m, source, out, tag_or_digest, error) < 0) {
		next = next_after(m, source, &tried, error);
		if (next < 0) {
			bool named = tag_or_digest || strstr(error->message, image);

			mirror_causes_append(&causes, error);
			return named ? error->status : error_prefix(error, "image %.200s: ", image);
		}
		warn(m, source, tag_or_digest ? tag_or_digest : image, error);
		mirror_causes_add(&causes, m->sources[source].name, error);
		source = next;
	}
	return 0;
}

/* ---- Blobs ---- */

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
		source = blob->current = pick(m, blob->tried);
	pthread_mutex_unlock(&m->lock);
	return blob ? source : error_no_memory(error);
}

/* The next source is made the current one. Without one, a later open begins anew. */
static bool mirrors_next_source(struct transport *transport, const struct descriptor *descriptor,
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
		blob->tried |= bit(source);
		if (mirror_cause_is_network(error))
			m->late |= bit(source);
		next = pick(m, blob->tried);
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
		warn(m, source, digest, &cause);
	return next >= 0;
}

static int mirrors_open_blob(struct transport *transport, struct source **out,
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

/* ---- Setting up ---- */

static void mirrors_close(struct transport *transport)
{
	struct mirrors *m = mirrors_of(transport);

	for (int i = 0; i < m->count; i++) {
		transport_close(m->sources[i].transport);
		free(m->sources[i].name);
	}
	for (size_t i = 0; i < m->blob_count; i++)
		free(m->blobs[i]);
	pthread_mutex_destroy(&m->lock);
	free(m->blobs);
	free(m->sources);
	free(m);
}

static const struct transport_ops mirrors_ops = {
	mirrors_fetch_manifest,
	mirrors_open_blob,
	mirrors_close,
	mirrors_next_source,
};

static int create(struct mirrors **out, size_t count, const struct mirrors_options *options,
		  struct mkrootfs_error *error)
{
	struct mirrors *m;

	*out = NULL;
	if (count == 0 || count > SOURCES_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%zu sources for '%.300s', not 1 to %d", count,
				 options->reference->text, SOURCES_MAX);
	m = calloc(1, sizeof(*m));
	if (m)
		m->sources = calloc(count, sizeof(*m->sources));
	if (!m || !m->sources) {
		free(m);
		return error_no_memory(error);
	}
	m->transport.ops = &mirrors_ops;
	m->options = *options;
	pthread_mutex_init(&m->lock, NULL);
	*out = m;
	return 0;
}

int mirrors_open(struct transport **out, const struct mirror_source *sources, size_t count,
		 const struct mirrors_options *options, struct mkrootfs_error *error)
{
	struct mirrors *m;
	int status = create(&m, count, options, error);

	*out = NULL;
	if (!m) {
		for (size_t i = 0; i < count; i++)
			transport_close(sources[i].transport);
		return status;
	}
	for (; m->count < (int)count; m->count++) {
		m->sources[m->count].transport = sources[m->count].transport;
		m->sources[m->count].name = strdup(sources[m->count].name);
		if (!m->sources[m->count].name)
			status = error_no_memory(error);
	}
	if (status < 0)
		mirrors_close(&m->transport);
	else
		*out = &m->transport;
	return status;
}
