/* SPDX-License-Identifier: Apache-2.0 */
#include "mirrors_parts.h"

#include "document.h"

#include <string.h>

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
	*tried |= mirrors_bit(source);
	if (mirror_cause_is_remote(cause)) {
		m->late |= mirrors_bit(source);
		next = mirrors_pick(m, *tried);
	}
	pthread_mutex_unlock(&m->lock);
	return next;
}

int mirrors_fetch_manifest(struct transport *transport, struct transport_document *out,
			   const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct mirrors *m = mirrors_of(transport);
	const char *image = m->options.reference->text;
	struct mirror_causes causes = { .len = 0 };
	source_mask tried = 0;
	int source, next;

	pthread_mutex_lock(&m->lock);
	source = mirrors_pick(m, tried);
	pthread_mutex_unlock(&m->lock);
	while (fetch_from(m, source, out, tag_or_digest, error) < 0) {
		next = next_after(m, source, &tried, error);
		if (next < 0) {
			bool named = tag_or_digest || strstr(error->message, image);

			mirror_causes_append(&causes, error);
			return named ? error->status : error_prefix(error, "image %.200s: ", image);
		}
		mirrors_warn(m, source, tag_or_digest ? tag_or_digest : image, error);
		mirror_causes_add(&causes, m->sources[source].name, error);
		source = next;
	}
	return 0;
}
