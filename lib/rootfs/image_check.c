/* SPDX-License-Identifier: Apache-2.0 */
#include "image_check.h"

#include "../erofs/reader.h"
#include "../io/source.h"
#include "../vmdk/descriptor.h"
#include "fsmeta.h"
#include "identity.h"
#include "image_disk.h"

#include <stdlib.h>
#include <string.h>

static int damaged(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "%s is damaged, or not of this version: pull the image again", what);
}

/* Whatever keeps a layer from being read, a pull may mend. */
static int cannot_open(int status, struct mkrootfs_error *error)
{
	if (status == MKROOTFS_ERROR_NO_MEMORY || status == MKROOTFS_ERROR_LIMIT)
		return status;
	error->status = MKROOTFS_ERROR_MALFORMED;
	return error_advise(error, "pull the image again");
}

/* That the images are those of the layers, not others of the store. */
static int check_layers(const struct mkrootfs_image *image, const struct stack *stack,
			struct mkrootfs_error *error)
{
	for (size_t i = 0; i < image->config.diff_id_count; i++) {
		uint8_t uuid[UUID_SIZE];
		int status = identity_of_layer(uuid, &image->config.diff_ids[i], error);

		if (status < 0)
			return status;
		if (memcmp(stack->distinct[stack->order[i]].uuid, uuid, UUID_SIZE) != 0)
			return damaged(error, image->layers[i].path);
	}
	return 0;
}

int image_check_fsmeta(const struct mkrootfs_image *image, const struct stack *stack,
		       struct mkrootfs_error *error)
{
	const struct erofs_superblock *sb;
	struct erofs_reader *reader;
	uint8_t uuid[UUID_SIZE];
	int status = fsmeta_uuid(uuid, stack, error);

	if (status == 0)
		status = erofs_reader_open(&reader, image->fsmeta, error);
	if (status < 0)
		return status;
	sb = erofs_reader_superblock(reader);
	if (memcmp(sb->uuid, uuid, UUID_SIZE) != 0 ||
	    (erofs_reader_size(reader) >> EROFS_BLOCK_BITS) + stack->blocks != sb->blocks)
		status = damaged(error, IMAGE_FSMETA);
	erofs_reader_close(reader);
	return status;
}

int image_check_disk(struct mkrootfs_image *image, const struct stack *stack,
		     struct mkrootfs_error *error)
{
	struct buf expected = BUF_INIT(VMDK_DESCRIPTOR_MAX), found = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	struct source *source = NULL;
	int status =
		image_disk_describe(&expected, &image->disk_size, image->directory, stack, error);

	if (status == 0)
		status = source_file(&source, image->disk, error);
	if (status == 0)
		status = source_read_all(&found, source, error);
	source_close(source);
	if (status == 0 &&
	    (expected.len != found.len || memcmp(expected.data, found.data, found.len) != 0))
		status = damaged(error, IMAGE_DISK);
	buf_free(&expected);
	buf_free(&found);
	return status;
}

int image_open_stack(struct stack *stack, const struct mkrootfs_image *image,
		     struct mkrootfs_error *error)
{
	size_t count = image->config.diff_id_count;
	const char **paths = calloc(count + 1, sizeof(*paths));
	int status;

	if (!paths)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		paths[i] = image->layers[i].path;
	status = stack_open(stack, paths, count, error);
	free(paths);
	return status;
}

int image_check(struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	struct stack stack;
	int status = image_open_stack(&stack, image, error);

	if (status < 0)
		return cannot_open(status, error);
	status = check_layers(image, &stack, error);
	if (status == 0)
		status = image_check_fsmeta(image, &stack, error);
	if (status == 0)
		status = image_check_disk(image, &stack, error);
	stack_free(&stack);
	return status;
}
