/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include "../erofs/reader.h"

#include <stdlib.h>
#include <string.h>

static int describe(struct stack_image *image, const char *path, struct mkrootfs_error *error)
{
	struct erofs_reader *reader;
	const struct erofs_superblock *sb;
	int status = erofs_reader_open(&reader, path, error);

	if (status < 0)
		return status;
	sb = erofs_reader_superblock(reader);
	*image = (struct stack_image){ .path = path, .blocks = sb->blocks };
	memcpy(image->uuid, sb->uuid, UUID_SIZE);
	if (erofs_reader_size(reader) != (uint64_t)sb->blocks << EROFS_BLOCK_BITS)
		status = error_set(error, MKROOTFS_ERROR_MALFORMED,
				   "'%s' is not as long as its superblock says", path);
	erofs_reader_close(reader);
	return status;
}

static size_t find(const struct stack *stack, const uint8_t uuid[UUID_SIZE])
{
	size_t i = 0;

	while (i < stack->distinct_count && memcmp(stack->distinct[i].uuid, uuid, UUID_SIZE) != 0)
		i++;
	return i;
}

static int add(struct stack *stack, const char *path, struct mkrootfs_error *error)
{
	struct stack_image image;
	int status = describe(&image, path, error);
	size_t index;

	if (status < 0)
		return status;
	index = find(stack, image.uuid);
	if (index == stack->distinct_count) {
		image.first_block = stack->blocks;
		stack->blocks += image.blocks;
		stack->distinct[stack->distinct_count++] = image;
	}
	stack->order[stack->count++] = index;
	return 0;
}

int stack_open(struct stack *stack, const char *const *paths, size_t count,
	       struct mkrootfs_error *error)
{
	int status = 0;

	*stack = (struct stack){ 0 };
	stack->distinct = calloc(count + 1, sizeof(*stack->distinct));
	stack->order = calloc(count + 1, sizeof(*stack->order));
	if (!stack->distinct || !stack->order)
		status = error_no_memory(error);
	for (size_t i = 0; status == 0 && i < count; i++)
		status = add(stack, paths[i], error);
	if (status == 0 && stack->blocks > EROFS_MAX_BLOCKS)
		status = error_set(error, MKROOTFS_ERROR_LIMIT, "the disk would exceed 16 TiB");
	if (status < 0)
		stack_free(stack);
	return status;
}

void stack_free(struct stack *stack)
{
	free(stack->distinct);
	free(stack->order);
	*stack = (struct stack){ 0 };
}
