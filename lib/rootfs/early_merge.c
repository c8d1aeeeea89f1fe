/* SPDX-License-Identifier: Apache-2.0 */
#include "early_merge.h"

#include "../base/buf.h"
#include "../tree/overlay.h"
#include "identity.h"

#include <stdlib.h>
#include <string.h>

/* What trees may take together while they wait: as much as a pull is granted for them. */
#define WAITING_BYTES (8u << 20)
#define WAITING_BYTES_AN_INODE 100u
#define WARNINGS_CAP (1u << 16) /* bytes */

struct early_layer {
	struct tree *tree;    /* waits for lower layers */
	uint32_t blocks;      /* of its image, once it was given */
	uint64_t first_block; /* on the stitched disk behind fsmeta, once it was merged */
	struct buf warnings;  /* of its merge, each with its NUL */
};

struct early_merge {
	const struct digest *diff_ids;
	size_t count;
	pthread_mutex_t mutex;
	bool busy;	     /* a thread merges: what stands below next is its own */
	bool stopped;	     /* no tree is kept any more */
	size_t next;	     /* the lowest layer that is not merged */
	struct tree *merged; /* of those below next; NULL: none */
	uint64_t blocks;     /* of the distinct images among them */
	uint64_t waiting_bytes, waiting_inodes;
	struct early_layer layers[];
};

int early_merge_open(struct early_merge **out, const struct digest *diff_ids, size_t count,
		     struct mkrootfs_error *error)
{
	struct early_merge *merge = calloc(1, sizeof(*merge) + count * sizeof(merge->layers[0]));

	*out = merge;
	if (!merge)
		return error_no_memory(error);
	merge->diff_ids = diff_ids;
	merge->count = count;
	for (size_t i = 0; i < count; i++)
		merge->layers[i].warnings = BUF_INIT(WARNINGS_CAP);
	pthread_mutex_init(&merge->mutex, NULL);
	return 0;
}

/* The counts follow what waits. */
static struct tree *take_waiting(struct early_merge *merge, size_t layer)
{
	struct tree *tree = merge->layers[layer].tree;

	if (!tree)
		return NULL;
	merge->layers[layer].tree = NULL;
	merge->waiting_bytes -= tree_memory(tree);
	merge->waiting_inodes -= tree->inode_count;
	return tree;
}

/* Not while a thread merges. */
static void drop_all(struct early_merge *merge)
{
	tree_free(merge->merged);
	merge->merged = NULL;
	merge->next = 0;
	for (size_t i = 0; i < merge->count; i++) {
		tree_free(take_waiting(merge, i));
		buf_free(&merge->layers[i].warnings);
	}
}

void early_merge_free(struct early_merge *merge)
{
	if (!merge)
		return;
	drop_all(merge);
	pthread_mutex_destroy(&merge->mutex);
	free(merge);
}

/* ---- Stacking one layer; by one thread at a time ---- */

struct warner {
	struct buf *warnings;
	bool lost; /* some did not fit */
};

static void keep_warning(void *user, const char *text)
{
	struct warner *warner = user;
	struct mkrootfs_error ignored;

	if (buf_append(warner->warnings, text, strlen(text) + 1, &ignored) < 0)
		warner->lost = true;
}

/* An image that stands in the stack twice is on the disk once. */
static uint64_t place_layer(struct early_merge *merge, size_t layer)
{
	uint64_t first_block = merge->blocks;

	for (size_t i = 0; i < layer; i++)
		if (digest_equal(&merge->diff_ids[i], &merge->diff_ids[layer]))
			return merge->layers[i].first_block;
	merge->blocks += merge->layers[layer].blocks;
	return first_block;
}

/* Takes the tree. Whatever fails will fail again, and be told, when the layer is read. */
static bool stack_layer(struct early_merge *merge, size_t layer, struct tree *tree)
{
	struct early_layer *place = &merge->layers[layer];
	struct warner warner = { .warnings = &place->warnings };
	const struct overlay_options options = { .first_block = place_layer(merge, layer),
						 .warn = keep_warning,
						 .user = &warner };
	struct mkrootfs_error ignored;
	int status;

	place->first_block = options.first_block;
	if (!merge->merged) {
		merge->merged = tree;
		return overlay_base(tree, &ignored) == 0;
	}
	status = overlay_apply(merge->merged, tree, &options, &ignored);
	tree_free(tree);
	return status == 0 && !warner.lost;
}

/* With the mutex, which is open while a layer is stacked. */
static void stack_waiting(struct early_merge *merge)
{
	struct tree *tree;

	while (!merge->stopped && merge->next < merge->count &&
	       (tree = take_waiting(merge, merge->next)) != NULL) {
		bool good;

		merge->busy = true;
		pthread_mutex_unlock(&merge->mutex);
		good = stack_layer(merge, merge->next, tree);
		pthread_mutex_lock(&merge->mutex);
		merge->busy = false;
		merge->next++;
		merge->stopped = merge->stopped || !good;
	}
	if (merge->stopped)
		drop_all(merge);
}

/* ---- Trees that come ---- */

static bool has_room(const struct early_merge *merge, const struct tree *tree)
{
	uint64_t inodes = merge->waiting_inodes + tree->inode_count;

	return merge->waiting_bytes + tree_memory(tree) <=
	       WAITING_BYTES + WAITING_BYTES_AN_INODE * inodes;
}

/* Whose turn it is does not wait for long. */
static bool is_kept(const struct early_merge *merge, size_t layer, const struct tree *tree)
{
	return !merge->stopped && layer >= merge->next && !merge->layers[layer].tree &&
	       (layer == merge->next || has_room(merge, tree));
}

static void keep(struct early_merge *merge, size_t layer, const struct made_layer *made)
{
	merge->layers[layer].tree = made->tree;
	merge->layers[layer].blocks = made->blocks;
	merge->waiting_bytes += tree_memory(made->tree);
	merge->waiting_inodes += made->tree->inode_count;
}

void early_merge_give(struct early_merge *merge, size_t layer, struct made_layer *made)
{
	bool kept = false;

	if (merge && made->tree) {
		pthread_mutex_lock(&merge->mutex);
		kept = is_kept(merge, layer, made->tree);
		if (kept)
			keep(merge, layer, made);
		if (kept && !merge->busy)
			stack_waiting(merge);
		pthread_mutex_unlock(&merge->mutex);
	}
	if (!kept)
		tree_free(made->tree);
	made->tree = NULL;
}

void early_merge_stop(struct early_merge *merge)
{
	if (!merge)
		return;
	pthread_mutex_lock(&merge->mutex);
	merge->stopped = true;
	if (!merge->busy)
		drop_all(merge);
	pthread_mutex_unlock(&merge->mutex);
}

/* ---- What came of it ---- */

static bool is_same_image(const struct early_merge *merge, size_t layer, const struct stack *stack)
{
	const struct stack_image *image = &stack->distinct[stack->order[layer]];
	const struct early_layer *made = &merge->layers[layer];
	struct mkrootfs_error ignored;
	uint8_t uuid[UUID_SIZE];

	return identity_of_layer(uuid, &merge->diff_ids[layer], &ignored) == 0 &&
	       !memcmp(uuid, image->uuid, UUID_SIZE) && made->blocks == image->blocks &&
	       (layer >= merge->next || made->first_block == image->first_block);
}

static bool is_same_stack(const struct early_merge *merge, const struct stack *stack)
{
	size_t i = 0;

	if (merge->count != stack->count)
		return false;
	while (i < merge->count &&
	       ((i >= merge->next && !merge->layers[i].tree) || is_same_image(merge, i, stack)))
		i++;
	return i == merge->count;
}

static void tell_warnings(const struct buf *warnings, size_t layer, struct events *events)
{
	events->layer_index = (uint32_t)layer;
	for (size_t at = 0; at < warnings->len; at += strlen((const char *)warnings->data + at) + 1)
		events_warn(events, (const char *)warnings->data + at);
}

size_t early_merge_take(struct tree **merged, struct early_merge *merge, const struct stack *stack,
			struct events *events)
{
	*merged = NULL;
	if (!merge)
		return 0;
	if (!is_same_stack(merge, stack))
		drop_all(merge);
	*merged = merge->merged;
	merge->merged = NULL;
	for (size_t i = 0; i < merge->next; i++)
		tell_warnings(&merge->layers[i].warnings, i, events);
	return merge->next;
}

struct tree *early_merge_waiting(struct early_merge *merge, size_t layer)
{
	return merge ? take_waiting(merge, layer) : NULL;
}
