/* SPDX-License-Identifier: Apache-2.0 */
#include "image_folder.h"

#include "../io/file_copy.h"
#include "../store/folder.h"
#include "../vmdk/descriptor.h"
#include "fsmeta.h"
#include "image.h"
#include "image_disk.h"

#include <stdlib.h>
#include <unistd.h>

struct build {
	const struct store *store;
	const struct resolved_image *resolved;
	struct early_merge *merge; /* or NULL */
	struct events *events;
	struct buf folder; /* temporary */
	char **layers;	   /* paths of the layers inside it; count as in the config */
};

static int join(struct buf *path, const struct build *b, const char *name,
		struct mkrootfs_error *error)
{
	buf_clear(path);
	return buf_printf(path, error, "%s/%s", (const char *)b->folder.data, name);
}

static int write_file(const struct build *b, const char *name, const struct buf *bytes,
		      struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct image_file *file = NULL;
	int status = join(&path, b, name, error);

	if (status == 0)
		status = image_file_create(&file, (char *)b->folder.data, error);
	if (status == 0)
		status = image_file_write(file, 0, bytes->data, bytes->len, error);
	if (status == 0)
		status = image_file_commit(file, (char *)path.data, 0, error);
	image_file_close(file);
	buf_free(&path);
	return status;
}

/* The same layer may stand in the image several times: its file is linked once. */
static int link_layer(struct build *b, size_t index, struct mkrootfs_error *error)
{
	const struct digest *diff_id = &b->resolved->config.diff_ids[index];
	char name[DIGEST_TEXT_SIZE + 8];
	struct buf from = BUF_INIT(STORE_PATH_MAX), to = BUF_INIT(STORE_PATH_MAX);
	int status = store_layer_path(&from, b->store, diff_id, error);

	image_layer_name(name, diff_id);
	if (status == 0)
		status = join(&to, b, name, error);
	b->layers[index] = (char *)to.data;
	if (status == 0 && access(b->layers[index], F_OK) < 0)
		status = file_link_or_copy((char *)from.data, b->layers[index], error);
	buf_free(&from);
	return status;
}

static int link_layers(struct build *b, struct mkrootfs_error *error)
{
	int status = 0;

	b->layers = calloc(b->resolved->config.diff_id_count + 1, sizeof(*b->layers));
	if (!b->layers)
		return error_no_memory(error);
	for (size_t i = 0; status == 0 && i < b->resolved->config.diff_id_count; i++)
		status = link_layer(b, i, error);
	return status;
}

static int write_fsmeta(struct build *b, const struct stack *stack, uint64_t *inodes,
			struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct image_file *file = NULL;
	int status = join(&path, b, IMAGE_FSMETA, error);

	if (status == 0)
		status = image_file_create(&file, (char *)b->folder.data, error);
	if (status == 0)
		status = fsmeta_write(file, inodes, stack, b->merge, b->events, error);
	if (status == 0)
		status = image_file_commit(file, (char *)path.data, 0, error);
	image_file_close(file);
	buf_free(&path);
	return status;
}

static int write_disk(struct build *b, const struct stack *stack, struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	uint64_t size;
	int status = image_disk_describe(&text, &size, (char *)b->folder.data, stack, error);

	if (status == 0)
		status = write_file(b, IMAGE_DISK, &text, error);
	buf_free(&text);
	return status;
}

static int write_stack(struct build *b, struct mkrootfs_error *error)
{
	struct stack stack;
	uint64_t inodes;
	int status = stack_open(&stack, (const char *const *)b->layers,
				b->resolved->config.diff_id_count, error);

	if (status < 0)
		return status;
	stack.blobs = b->resolved->manifest.layers;
	status = write_fsmeta(b, &stack, &inodes, error);
	if (status == 0)
		status = write_disk(b, &stack, error);
	stack_free(&stack);
	return status < 0 ? status : events_report(b->events, MKROOTFS_EVENT_MERGED, inodes, error);
}

static int write_all(struct build *b, struct mkrootfs_error *error)
{
	int status = write_file(b, IMAGE_MANIFEST, &b->resolved->manifest_bytes, error);

	if (status == 0)
		status = write_file(b, IMAGE_CONFIG, &b->resolved->config_bytes, error);
	if (status == 0)
		status = link_layers(b, error);
	return status < 0 ? status : write_stack(b, error);
}

static int publish(struct build *b, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = store_image_path(&path, b->store, &b->resolved->manifest_digest, error);

	if (status == 0)
		status = folder_publish((char *)b->folder.data, (char *)path.data, error);
	buf_free(&path);
	return status;
}

static void free_build(struct build *b)
{
	for (size_t i = 0; b->layers && i < b->resolved->config.diff_id_count; i++)
		free(b->layers[i]);
	free(b->layers);
	buf_free(&b->folder);
}

int image_folder_build(const struct store *store, const struct resolved_image *resolved,
		       struct early_merge *merge, struct events *events,
		       struct mkrootfs_error *error)
{
	struct build b = { .store = store,
			   .resolved = resolved,
			   .merge = merge,
			   .events = events,
			   .folder = BUF_INIT(STORE_PATH_MAX) };
	int status = folder_make_temporary(&b.folder, store_tmp(store), error);

	if (status == 0) {
		status = write_all(&b, error);
		if (status == 0)
			status = publish(&b, error);
		if (status < 0)
			folder_remove((char *)b.folder.data);
	}
	free_build(&b);
	return status;
}
