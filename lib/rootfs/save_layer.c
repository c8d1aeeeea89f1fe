/* SPDX-License-Identifier: Apache-2.0 */
#include "save_layer.h"

#include "export.h"
#include "tree_open.h"

struct hash_sink {
	struct sink sink;
	struct sink *next; /* NULL: only hashed */
	struct hasher *hasher;
	uint64_t size;
};

static int hash_write(struct sink *sink, const void *data, size_t len, struct mkrootfs_error *error)
{
	struct hash_sink *hash = (struct hash_sink *)sink;

	hasher_update(hash->hasher, data, len);
	hash->size += len;
	return hash->next ? sink_write(hash->next, data, len, error) : 0;
}

static int export(struct hash_sink *hash, const char *path, struct events *events,
		  struct mkrootfs_error *error)
{
	struct mkrootfs_tree *tree;
	int status = tree_open(&tree, path, error);

	if (status < 0)
		return status;
	status = tree_export(tree, &hash->sink, events, error);
	tree_close(tree);
	return status;
}

int save_layer(struct sink *out, struct digest *digest, uint64_t *size, const char *path,
	       struct events *events, struct mkrootfs_error *error)
{
	struct hash_sink hash = { .sink = { hash_write }, .next = out };
	int status = hasher_create(&hash.hasher, DIGEST_SHA256, error);

	if (status < 0)
		return status;
	status = export(&hash, path, events, error);
	if (status == 0)
		hasher_finish(hash.hasher, digest);
	*size = hash.size;
	hasher_free(hash.hasher);
	return status;
}
