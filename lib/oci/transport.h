/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where images come from: a registry, a layout on disk, an archive.
 *
 *	struct transport *t;
 *	registry_open(&t, &reference, &options, error);
 *	transport_fetch_manifest(t, &raw, NULL, error);
 *	transport_open_blob(t, &source, &manifest.layers[0], 0, error);
 *	...		and, while it fails, again, as long as transport_next_source says so
 *	transport_close(t);				after all its sources
 *
 * A transport caps what it reads and checks nothing else: digests are the caller's to verify.
 */
#ifndef MKROOTFS_OCI_TRANSPORT_H
#define MKROOTFS_OCI_TRANSPORT_H

#include "../io/source.h"
#include "descriptor.h"

struct transport;

/* A manifest or index as it came. */
struct transport_document {
	struct buf bytes;		  /* the cap is set by the caller */
	char media_type[MEDIA_TYPE_SIZE]; /* of a header, or empty */
	bool described;			  /* the transport found it by this descriptor */
	struct descriptor descriptor;
};

struct transport_ops {
	/*
	 * tag_or_digest NULL: what the reference of the transport names. out->bytes is empty
	 * before, and the caller's to free in any case.
	 */
	int (*fetch_manifest)(struct transport *transport, struct transport_document *out,
			      const char *tag_or_digest, struct mkrootfs_error *error);
	/*
	 * The raw bytes of a blob from offset on, which is at most the descriptor's size. May be
	 * called from several threads at once.
	 */
	int (*open_blob)(struct transport *transport, struct source **out,
			 const struct descriptor *descriptor, uint64_t offset,
			 struct mkrootfs_error *error);
	void (*close)(struct transport *transport);
	/* See transport_next_source; NULL: there is one source. */
	bool (*next_source)(struct transport *transport, const struct descriptor *descriptor,
			    struct mkrootfs_error *error);
};

/* First member of every kind of transport. */
struct transport {
	const struct transport_ops *ops;
};

static inline int transport_fetch_manifest(struct transport *transport,
					   struct transport_document *out,
					   const char *tag_or_digest, struct mkrootfs_error *error)
{
	return transport->ops->fetch_manifest(transport, out, tag_or_digest, error);
}

static inline int transport_open_blob(struct transport *transport, struct source **out,
				      const struct descriptor *descriptor, uint64_t offset,
				      struct mkrootfs_error *error)
{
	return transport->ops->open_blob(transport, out, descriptor, offset, error);
}

/*
 * Says that a blob that was opened last was not what its descriptor says, or broke; error says why.
 * True: opening it once more asks another source, from offset 0. Never true for what no source can
 * mend, such as a full disk. False: error then also names the sources that failed before. May be
 * called from several threads, for several blobs.
 */
static inline bool transport_next_source(struct transport *transport,
					 const struct descriptor *descriptor,
					 struct mkrootfs_error *error)
{
	return transport->ops->next_source &&
	       transport->ops->next_source(transport, descriptor, error);
}

/* NULL is allowed. */
static inline void transport_close(struct transport *transport)
{
	if (transport)
		transport->ops->close(transport);
}

#endif
