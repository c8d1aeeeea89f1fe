/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a layer blob, all the way to an image. What is written must read back: the reader is
 * strict, so a refusal of our own image is a fault.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "erofs/marks.h"
#include "erofs/reader.h"
#include "rootfs/layer.h"
#include "rootfs/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int convert(int fd, const uint8_t *data, size_t size)
{
	struct mkrootfs_limits limits = { .entries = 5000, .unpacked_size = 4 << 20 };
	struct events events = { 0 };
	struct layer_options options = { .blob_size = -1, .events = &events };
	struct mkrootfs_error error;
	struct image_file *file;
	struct source *source;
	struct digest diff_id;
	int status;

	options.limits = limits_or_defaults(&limits);
	if (image_file_borrow(&file, fd, &error) < 0 ||
	    source_memory(&source, data, size, &error) < 0)
		abort();
	status = layer_convert(file, &diff_id, source, &options, &error);
	if (status == 0)
		status = image_file_commit(file, "", 0, &error);
	image_file_close(file);
	return status;
}

static void read_back(const char *path)
{
	struct mkrootfs_error error;
	struct erofs_reader *reader;
	struct tree *tree;

	if (erofs_reader_open(&reader, path, &error) < 0 ||
	    erofs_read_tree(&tree, reader, UINT32_MAX - 2, &error) < 0 ||
	    erofs_marks_take(tree, &error) < 0) {
		fprintf(stderr, "our own image: %s\n", error.message);
		abort();
	}
	tree_free(tree);
	erofs_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("layer", MFD_CLOEXEC);
	char path[64];

	if (fd < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (convert(fd, data, size) == 0)
		read_back(path);
	close(fd);
	return 0;
}
