/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile EROFS images through the reader, look-ups, the marks, the merge on itself, and the
 * verification. The superblock's checksum and the seal's hash of itself are made right first: they
 * would stop nearly every mutation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "erofs/marks.h"
#include "erofs/reader.h"
#include "erofs/seal.h"
#include "erofs/verify.h"
#include "erofs/xxh.h"
#include "tree/overlay.h"
#include "tree_visit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_NODES 20000u

static void fix_checksums(uint8_t *image)
{
	uint8_t *sb = image + EROFS_SUPER_OFFSET;

	put_le64(image + SEAL_SIZE - 8, xxh3_64(image, SEAL_SIZE - 8, 0));
	put_le32(sb + 4, 0);
	put_le32(sb + 4, crc32c(~0u, sb, EROFS_BLOCK_SIZE - EROFS_SUPER_OFFSET));
}

static int image_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	uint8_t *copy = malloc(size);

	memcpy(copy, data, size);
	fix_checksums(copy);
	if (fd < 0 || write(fd, copy, size) != (ssize_t)size)
		abort();
	free(copy);
	return fd;
}

/* On a tree that is itself a lowest layer's. */
static void merge_twice(struct tree *merged, struct tree *layer)
{
	const struct overlay_options options = { .first_block = 7 };
	struct mkrootfs_error error;

	if (overlay_base(merged, &error) == 0 &&
	    overlay_apply(merged, layer, &options, &error) == 0 &&
	    overlay_apply(merged, layer, &options, &error) == 0)
		tree_seal(merged, &error);
}

/* NULL when it is refused. */
static struct tree *read_layer(struct erofs_reader *reader)
{
	struct mkrootfs_error error;
	struct tree *tree;

	if (erofs_read_tree(&tree, reader, MAX_NODES, &error) == 0 &&
	    erofs_marks_take(tree, &error) < 0) {
		tree_free(tree);
		tree = NULL;
	}
	return tree;
}

static int listen(void *user, const struct erofs_problem *problem)
{
	*(size_t *)user += strlen(problem->text) + (problem->path ? strlen(problem->path) : 0);
	return 0;
}

static void verify(struct erofs_reader *reader)
{
	size_t heard = 0;
	const struct erofs_verify_options options = { .problem = listen,
						      .user = &heard,
						      .max_nodes = MAX_NODES };
	struct erofs_verify_result result;
	struct mkrootfs_error error;

	erofs_verify(&result, reader, &options, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct erofs_reader *reader;
	struct mkrootfs_error error;
	char path[64];
	int fd;

	if (size < EROFS_BLOCK_SIZE || size > 1u << 20)
		return 0;
	fd = image_of(data, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (erofs_reader_open(&reader, path, &error) == 0) {
		struct tree *base = read_layer(reader), *layer = base ? read_layer(reader) : NULL;

		if (layer)
			merge_twice(base, layer);
		tree_free(base);
		tree_free(layer);
		verify(reader);
		erofs_reader_close(reader);
	}
	tree_visit_file_at(path);
	close(fd);
	return 0;
}
