/* SPDX-License-Identifier: Apache-2.0 */
#include "build_ext4.h"

#include "../base/checked.h"
#include "../erofs/marks.h"
#include "../erofs/seal.h"
#include "../ext4/tree_writer.h"
#include "events.h"
#include "image.h"
#include "output.h"
#include "upper.h"

#include <stdio.h>
#include <stdlib.h>

#define MIB (UINT64_C(1) << 20)
#define LEAST_HEADROOM (64 * MIB)
#define BLOCK_SIZE 4096u
#define INODE_SIZE 256u

struct builder {
	const struct mkrootfs_tree *source;
	struct tree *tree;
	struct ext4_needs needs;
	struct ext4_options options;
	struct events events;
	bool sealed; /* this library wrote the image: see ext4_contents.zero_padded */
};

/* ---- What is built ---- */

static int check_inode(const struct tree_inode *inode, struct mkrootfs_error *error)
{
	const char *what = NULL;

	if (inode->flags & (TREE_LINK | TREE_OPAQUE))
		what = inode->flags & TREE_LINK ? "a link to a file of a lower layer"
						: "a folder that hides one of a lower layer";
	else if (tree_is_whiteout(inode))
		what = "the deletion of a file of a lower layer";
	return what ? error_set(error, MKROOTFS_ERROR_INVALID, "%s", what) : 0;
}

/* A layer image may be built as long as it needs no other. */
static int check_layer(const struct builder *b, struct mkrootfs_error *error)
{
	for (uint32_t node = TREE_ROOT; node; node = tree_walk(b->tree, node)) {
		char path[400];

		if (check_inode(tree_inode_of(b->tree, node), error) == 0)
			continue;
		tree_path(b->tree, node, path, sizeof(path));
		error_prefix(error, "'%s' is one layer, not a whole root filesystem: '/%s' is ",
			     extents_path(erofs_reader_extents(b->source->reader), 0), path);
		return error_advise(error, "build the image that has the layer");
	}
	return 0;
}

static int read_seal(struct builder *b, struct mkrootfs_error *error)
{
	uint8_t bytes[SEAL_SIZE];
	struct erofs_seal seal;
	int status = erofs_reader_read(b->source->reader, 0, bytes, sizeof(bytes), error);

	b->sealed = status == 0 && erofs_seal_decode(&seal, bytes) == SEAL_SOUND;
	return status;
}

static int load(struct builder *b, struct mkrootfs_error *error)
{
	bool is_layer = erofs_reader_superblock(b->source->reader)->meta_block != 0;
	int status = erofs_read_tree(&b->tree, b->source->reader, UINT32_MAX - 2, error);

	if (status == 0)
		status = erofs_marks_take(b->tree, error);
	if (status == 0 && is_layer)
		status = check_layer(b, error);
	if (status == 0)
		status = read_seal(b, error);
	return status < 0 ? status : ext4_tree_measure(&b->needs, b->tree, error);
}

/* ---- How large ---- */

static uint64_t default_journal(uint64_t size)
{
	return size < 1024 * MIB ? 16 * MIB : 64 * MIB;
}

/* Content, a quarter more, the journal, and inodes: for the files, and by the ratio. */
static uint64_t default_size(const struct ext4_needs *needs,
			     const struct mkrootfs_build_options *options)
{
	uint64_t size = needs->blocks * BLOCK_SIZE;
	uint64_t inodes = needs->inodes + needs->inodes / 4;
	uint64_t least = inodes * BLOCK_SIZE; /* a group has no more inodes than blocks */

	size += size / 4 > LEAST_HEADROOM ? size / 4 : LEAST_HEADROOM;
	size += inodes * INODE_SIZE;
	size += size / (options->inode_ratio ? options->inode_ratio : 16384) * INODE_SIZE;
	size += options->journal_size ? options->journal_size : default_journal(size);
	size += size / 256;
	return round_up_u64(size < least ? least : size, MIB);
}

static int choose(struct builder *b, const struct mkrootfs_build_options *options,
		  struct mkrootfs_error *error)
{
	const struct mkrootfs_upper_options wanted = {
		.size = options->size ? options->size : default_size(&b->needs, options),
		.uuid = options->uuid,
		.label = options->label,
		.source_date = options->source_date,
		.inode_ratio = options->inode_ratio,
		.journal_size = options->journal_size,
		.max_size = options->max_size,
		.reserved_ppm = options->reserved_ppm,
	};
	int status = upper_ext4_options(&b->options, &wanted,
					erofs_reader_superblock(b->source->reader)->uuid, error);

	/* Where the size is the caller's, as many inodes as there must be. */
	if (status == 0 && options->size == 0 && b->needs.inodes < UINT32_MAX / 2)
		b->options.least_inodes = b->needs.inodes + b->needs.inodes / 4;
	return status;
}

/* ---- Writing ---- */

static int find(void *user, struct ext4_place *place, uint64_t address,
		struct mkrootfs_error *error)
{
	const struct builder *b = user;
	const struct extents *extents = erofs_reader_extents(b->source->reader);
	struct extent_place at;

	if (!extents_find(&at, extents, address))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%s': file data lie past the end", extents_path(extents, 0));
	*place = (struct ext4_place){ .fd = at.fd, .offset = at.offset, .left = at.left };
	return 0;
}

static int progress(void *user, uint64_t done, struct mkrootfs_error *error)
{
	struct builder *b = user;

	return events_report(&b->events, MKROOTFS_EVENT_EXPORT_PROGRESS, done, error);
}

static void warn(void *user, const char *text)
{
	struct builder *b = user;

	events_warn(&b->events, text);
}

static int fill(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	struct builder *b = user;
	const struct ext4_contents contents = {
		.find = find,
		.progress = progress,
		.warn = warn,
		.user = b,
		.zero_padded = b->sealed,
	};

	return ext4_write_tree(file, b->tree, &contents, &b->options, error);
}

/* Not even when it may be replaced: who names an image's own file means something else. */
static int refuse_own_files(const char *path, const struct extents *files,
			    struct mkrootfs_error *error)
{
	char *folder, *disk = NULL;
	int status = output_folder(&folder, extents_path(files, 0), error);

	if (status == 0 && asprintf(&disk, "%s/" IMAGE_DISK, folder) < 0)
		status = error_no_memory(error);
	if (status == 0)
		status = output_refuse_input(path, disk, error);
	for (size_t i = 0; status == 0 && i < extents_count(files); i++)
		status = output_refuse_input(path, extents_path(files, i), error);
	free(disk);
	free(folder);
	return status;
}

int build_ext4(const char *path, const struct mkrootfs_tree *tree,
	       const struct mkrootfs_build_options *options, struct mkrootfs_error *error)
{
	struct builder b = {
		.source = tree,
		.events = { .fn = options->events, .user = options->events_user },
	};
	int status;

	if (tree->metadata_only)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				 "'%s' has names but no file data: build from the disk.vmdk that "
				 "it belongs to",
				 extents_path(erofs_reader_extents(tree->reader), 0));
	status = refuse_own_files(path, erofs_reader_extents(tree->reader), error);
	if (status == 0)
		status = load(&b, error);
	if (status == 0)
		status = choose(&b, options, error);
	b.events.total = b.needs.data;
	if (status == 0)
		status = output_write(path, options->replace, fill, &b, error);
	tree_free(b.tree);
	return status;
}
