/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image document: a manifest or an index, told apart by its structure. Media types are hints,
 * but they must not contradict it: one document that two readers take for two things is an attack.
 *
 *	struct document d;
 *	document_load(&d, &bytes, expected_type, error);	bytes are taken over
 *	if (d.kind == DOCUMENT_INDEX) ...
 *	document_free(&d);
 */
#ifndef MKROOTFS_OCI_DOCUMENT_H
#define MKROOTFS_OCI_DOCUMENT_H

#include "../base/buf.h"
#include "../base/digest.h"
#include "../base/jval.h"

#define DOCUMENT_MAX_SIZE (4u << 20) /* bytes of a manifest or an index */

enum document_kind { DOCUMENT_MANIFEST = 1, DOCUMENT_INDEX };

struct document {
	enum document_kind kind;
	struct buf bytes;     /* as they came */
	struct digest digest; /* sha256 of bytes */
	struct jval *root;
};

/*
 * Takes bytes on success and failure. expected_type is the media type from a descriptor or header,
 * or empty; unknown ones are ignored. Schema 1 and artifact manifests are UNSUPPORTED by name.
 */
int document_load(struct document *out, struct buf *bytes, const char *expected_type,
		  struct mkrootfs_error *error);
/* The document's own mediaType, if it has one, must be the one that its descriptor gives. */
int document_check_type(const struct document *document, const char *descriptor_type,
			struct mkrootfs_error *error);
void document_free(struct document *document);

/* The part of document_load behind the parser. */
int document_classify(enum document_kind *out, const struct jval *root, const char *expected_type,
		      struct mkrootfs_error *error);

#endif
