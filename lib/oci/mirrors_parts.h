/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The insides of mirrors, for mirrors*.c alone.
 *
 *	pthread_mutex_lock(&m->lock);
 *	source = mirrors_pick(m, tried);
 *	pthread_mutex_unlock(&m->lock);
 *	...						it failed
 *	mirrors_warn(m, source, "image x", error);
 */
#ifndef MKROOTFS_OCI_MIRRORS_PARTS_H
#define MKROOTFS_OCI_MIRRORS_PARTS_H

#include "mirror_causes.h"
#include "mirrors.h"

#include <pthread.h>

#define MIRRORS_MAX_SOURCES 64 /* as many as a mask has bits */

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

static inline struct mirrors *mirrors_of(struct transport *transport)
{
	return (struct mirrors *)transport;
}

static inline source_mask mirrors_bit(int source)
{
	return (source_mask)1 << source;
}

/* The next source to ask, or -1. Called under the lock. */
int mirrors_pick(const struct mirrors *m, source_mask tried);
/* Says that this source was passed over, and why. */
void mirrors_warn(const struct mirrors *m, int source, const char *what,
		  const struct mkrootfs_error *cause);

/* Of struct transport_ops: mirrors_manifest.c, mirrors_blob.c. */
int mirrors_fetch_manifest(struct transport *transport, struct transport_document *out,
			   const char *tag_or_digest, struct mkrootfs_error *error);
int mirrors_open_blob(struct transport *transport, struct source **out,
		      const struct descriptor *descriptor, uint64_t offset,
		      struct mkrootfs_error *error);
bool mirrors_next_source(struct transport *transport, const struct descriptor *descriptor,
			 struct mkrootfs_error *error);

#endif
