/* SPDX-License-Identifier: Apache-2.0 */
#include "fsmeta.h"

#include "../erofs/layout.h"
#include "../erofs/load_tree.h"
#include "../erofs/marks.h"
#include "../erofs/metadata.h"
#include "../erofs/reader.h"
#include "../tree/overlay.h"
#include "identity.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a tree whose memory is kept for the next layer: the merged one may want that of more. */
#define SPARE_MAX (16u << 20)

/* What the layers are merged with. */
struct merge {
	const struct stack *stack;
	struct events *events;
	struct tree *merged; /* of the layers so far; NULL: none */
	struct tree *spare;  /* an empty one, whose memory is used again; NULL: none */
};

/* An empty tree. */
static int new_tree(struct merge *m, struct tree **tree, struct mkrootfs_error *error)
{
	*tree = m->spare;
	m->spare = NULL;
	return *tree ? 0 : tree_create(tree, error);
}

/* Takes a tree that is not needed any more. */
static void recycle(struct merge *m, struct tree *tree)
{
	struct mkrootfs_error ignored;

	tree_free(m->spare);
	m->spare = NULL;
	if (tree && tree_memory(tree) <= SPARE_MAX && tree_reset(tree, &ignored) == 0)
		m->spare = tree;
	else
		tree_free(tree);
}

/* *tree is the caller's to free, also after a failure. */
static int read_layer(struct merge *m, struct tree **tree, const char *path,
		      struct mkrootfs_error *error)
{
	struct erofs_reader *reader;
	int status = erofs_reader_open(&reader, path, error);

	*tree = NULL;
	if (status < 0)
		return status;
	status = new_tree(m, tree, error);
	if (status == 0)
		status = erofs_fill_tree(*tree, reader, UINT32_MAX - 2, NULL, error);
	erofs_reader_close(reader);
	if (status == 0)
		status = erofs_marks_take(*tree, error);
	return status;
}

static int name_layer(const struct stack *stack, size_t layer, struct mkrootfs_error *error)
{
	char digest[DIGEST_TEXT_SIZE];

	if (!stack->blobs)
		return error_prefix(error, "layer %zu/%zu '%s': ", layer + 1, stack->count,
				    stack->distinct[stack->order[layer]].path);
	digest_format(digest, &stack->blobs[layer].digest);
	return error_prefix(error, "layer %zu/%zu %.19s: ", layer + 1, stack->count, digest);
}

/*
 * The first layer's tree becomes the merged one, whose blocks come first on the disk. Takes the
 * layer's tree; NULL: reads it.
 */
static int apply_layer(struct merge *m, size_t layer, struct tree *tree,
		       struct mkrootfs_error *error)
{
	const struct stack_image *image = &m->stack->distinct[m->stack->order[layer]];
	const struct overlay_options options = { .first_block = image->first_block,
						 .warn = events_warn,
						 .user = m->events };
	int status = tree ? 0 : read_layer(m, &tree, image->path, error);

	m->events->layer_index = (uint32_t)layer;
	if (status == 0)
		status = m->merged ? overlay_apply(m->merged, tree, &options, error)
				   : overlay_base(tree, error);
	if (m->merged || status < 0)
		recycle(m, tree);
	else
		m->merged = tree;
	return status < 0 ? name_layer(m->stack, layer, error) : 0;
}

static int apply_layers(struct merge *m, struct early_merge *early, struct mkrootfs_error *error)
{
	size_t i = early_merge_take(&m->merged, early, m->stack, m->events);
	int status = m->stack->count ? 0 : tree_create(&m->merged, error);

	for (; status == 0 && i < m->stack->count; i++) {
		status = apply_layer(m, i, early_merge_waiting(early, i), error);
		if (status == 0 && events_wait(m->events))
			status = error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	}
	return status;
}

/* *merged is the caller's to free, also after a failure. */
static int merge(struct tree **merged, const struct stack *stack, struct early_merge *early,
		 struct events *events, struct mkrootfs_error *error)
{
	struct merge m = { .stack = stack, .events = events };
	int status = apply_layers(&m, early, error);

	tree_free(m.spare);
	*merged = m.merged;
	return status < 0 ? status : tree_seal(*merged, error);
}

int fsmeta_uuid(uint8_t uuid[UUID_SIZE], const struct stack *stack, struct mkrootfs_error *error)
{
	uint8_t(*uuids)[UUID_SIZE] = calloc(stack->count + 1, UUID_SIZE);
	int status;

	if (!uuids)
		return error_no_memory(error);
	for (size_t i = 0; i < stack->count; i++)
		memcpy(uuids[i], stack->distinct[stack->order[i]].uuid, UUID_SIZE);
	status = identity_of_fsmeta(uuid, (const uint8_t(*)[UUID_SIZE])uuids, stack->count, error);
	free(uuids);
	return status;
}

static int write_merged(struct image_file *file, uint64_t *inodes, const struct tree *merged,
			const struct stack *stack, struct mkrootfs_error *error)
{
	struct erofs_layout plan;
	uint8_t uuid[UUID_SIZE];
	struct erofs_metadata_options options = { .uuid = uuid,
						  .blocks_behind = (uint32_t)stack->blocks };
	int status = fsmeta_uuid(uuid, stack, error);

	if (status == 0)
		status = erofs_layout_plan(&plan, merged, 0, error);
	if (status < 0)
		return status;
	options.data_shift = (uint32_t)(plan.end / EROFS_BLOCK_SIZE);
	if (options.data_shift + stack->blocks > EROFS_MAX_BLOCKS)
		status = error_set(error, MKROOTFS_ERROR_LIMIT, "the disk would exceed 16 TiB");
	if (status == 0)
		status = erofs_metadata_write(file, &plan, &options, error);
	*inodes = plan.count;
	erofs_layout_free(&plan);
	return status;
}

int fsmeta_write(struct image_file *file, uint64_t *inodes, const struct stack *stack,
		 struct early_merge *early, struct events *events, struct mkrootfs_error *error)
{
	struct tree *merged;
	int status = merge(&merged, stack, early, events, error);

	*inodes = 0;
	if (status == 0)
		status = write_merged(file, inodes, merged, stack, error);
	tree_free(merged);
	return status;
}
