/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_writer.h"

#include "../base/bytes.h"
#include "data_copy.h"
#include "encode.h"
#include "extent_tree.h"
#include "frame.h"
#include "space.h"
#include "tree_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_BLOCKS 16u /* of inodes that are written at once */
#define TABLE_INODES (TABLE_BLOCKS * EXT4_INODES_PER_BLOCK)

struct writer {
	struct ext4_plan *plan;
	struct ext4_layout layout;
	struct ext4_options options;
	struct ext4_frame frame;
	const struct ext4_contents *contents;
	struct ext4_file_map map; /* of the item in work */
	struct ext4_xattrs *xattrs;
	uint32_t *directories; /* of each group */
	uint8_t *tree_blocks;  /* of the extent tree in work */
	size_t tree_room;      /* blocks */
	uint8_t *table;	       /* inodes that were not written yet */
	uint32_t table_first;  /* number of the first one, less one */
};

static int write_block(struct writer *w, uint64_t number, const uint8_t *block,
		       struct mkrootfs_error *error)
{
	return image_file_write(w->frame.file, number * EXT4_BLOCK_SIZE, block, EXT4_BLOCK_SIZE,
				error);
}

static int map_item(struct writer *w, uint32_t item, struct mkrootfs_error *error)
{
	uint64_t next = w->plan->items[item].start;

	return ext4_file_map(&w->map, w->plan->tree, ext4_plan_inode(w->plan, item),
			     w->plan->items[item].directory_blocks, &next, error);
}

/* ---- Directories and symlinks ---- */

static int write_directory(struct writer *w, struct ext4_directory *directory, uint32_t item,
			   struct mkrootfs_error *error)
{
	uint8_t block[EXT4_BLOCK_SIZE];
	int status = ext4_plan_directory(directory, w->plan, item, error);

	if (status == 0)
		status = map_item(w, item, error);
	for (size_t i = 0; status == 0 && i < w->map.count; i++) {
		const struct ext4_extent *extent = &w->map.extents[i];

		for (uint32_t k = 0; status == 0 && k < extent->count; k++) {
			ext4_encode_directory(block, directory, extent->logical + k, w->frame.seed);
			status = write_block(w, extent->physical + k, block, error);
		}
	}
	return status;
}

static int write_symlink(struct writer *w, uint32_t item, struct mkrootfs_error *error)
{
	const struct tree_inode *inode = ext4_plan_inode(w->plan, item);
	uint8_t block[EXT4_BLOCK_SIZE] = { 0 };
	int status = map_item(w, item, error);

	if (status < 0 || w->map.count == 0)
		return status;
	memcpy(block, tree_string(w->plan->tree, inode), (size_t)inode->size);
	return write_block(w, w->map.extents[0].physical, block, error);
}

static int write_names(struct writer *w, struct mkrootfs_error *error)
{
	struct ext4_directory directory = { 0 };
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < w->plan->count; i++)
		if (tree_is_directory(ext4_plan_inode(w->plan, i)))
			status = write_directory(w, &directory, i, error);
	ext4_directory_free(&directory);
	for (uint32_t i = 0; status == 0 && i < w->plan->count; i++)
		if (S_ISLNK(ext4_plan_inode(w->plan, i)->mode))
			status = write_symlink(w, i, error);
	return status;
}

/* ---- Blocks of xattrs ---- */

static int write_set(struct writer *w, uint32_t set, struct mkrootfs_error *error)
{
	const struct ext4_xattr_set *of = &w->plan->sets[set];
	uint64_t next = of->start;
	int status = ext4_xattrs_encode(w->xattrs, &w->plan->tree->xattrs, set, error);

	for (uint32_t done = 0; status == 0 && done < of->users; done += EXT4_XATTR_REFCOUNT_MAX) {
		uint64_t block = ext4_space_take(&w->layout, &next, 1).physical;
		uint32_t users = of->users - done;

		if (users > EXT4_XATTR_REFCOUNT_MAX)
			users = EXT4_XATTR_REFCOUNT_MAX;
		ext4_xattr_block_finish(w->xattrs->block, block, users, w->frame.seed);
		status = write_block(w, block, w->xattrs->block, error);
	}
	return status;
}

static int write_sets(struct writer *w, struct mkrootfs_error *error)
{
	int status = 0;

	for (uint32_t i = 1; status == 0 && i <= w->plan->tree->xattrs.sets.count; i++)
		if (w->plan->sets[i].has_block)
			status = write_set(w, i, error);
	return status;
}

/* Where the next user of a set finds it. */
static uint64_t next_xattr_block(struct writer *w, struct ext4_xattr_set *set)
{
	if (set->seen++ % EXT4_XATTR_REFCOUNT_MAX == 0)
		set->block = ext4_space_take(&w->layout, &set->start, 1).physical;
	return set->block;
}

/* ---- File data ---- */

static int write_data(struct writer *w, struct mkrootfs_error *error)
{
	struct ext4_data_copy copy = { .file = w->frame.file, .contents = w->contents };
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < w->plan->file_count; i++) {
		uint32_t item = w->plan->files[i];

		status = map_item(w, item, error);
		if (status == 0)
			status =
				ext4_data_copy_file(&copy, w->plan->tree,
						    ext4_plan_inode(w->plan, item), &w->map, error);
	}
	return status < 0 ? status : ext4_data_copy_finish(&copy, error);
}

/* ---- Inodes ---- */

static int write_extent_tree(struct writer *w, uint8_t i_block[EXT4_I_BLOCK_SIZE], uint32_t number,
			     struct mkrootfs_error *error)
{
	size_t count = w->map.tree_count;
	int status = 0;

	if (count > w->tree_room) {
		free(w->tree_blocks);
		w->tree_blocks = calloc(count, EXT4_BLOCK_SIZE);
		w->tree_room = w->tree_blocks ? count : 0;
		if (!w->tree_blocks)
			return error_no_memory(error);
	}
	ext4_encode_extent_tree(i_block, w->tree_blocks, w->map.tree, w->map.extents, w->map.count,
				ext4_inode_seed(w->frame.seed, number));
	for (size_t i = 0; status == 0 && i < count; i++)
		status =
			write_block(w, w->map.tree[i], w->tree_blocks + i * EXT4_BLOCK_SIZE, error);
	return status;
}

static bool has_extents(const struct tree_inode *inode)
{
	return S_ISREG(inode->mode) || S_ISDIR(inode->mode) ||
	       (S_ISLNK(inode->mode) && inode->size >= EXT4_I_BLOCK_SIZE);
}

/* Numbers of devices that fit 16 bits are in the first word, others in the second. */
static void put_device(uint8_t i_block[EXT4_I_BLOCK_SIZE], uint64_t device)
{
	uint32_t major = (uint32_t)(device >> 32), minor = (uint32_t)device;

	if (major < 256 && minor < 256)
		put_le32(i_block, major << 8 | minor);
	else
		put_le32(i_block + 4, (minor & 0xff) | major << 8 | (minor & ~0xffu) << 12);
}

static int put_i_block(struct writer *w, uint8_t i_block[EXT4_I_BLOCK_SIZE],
		       const struct tree_inode *inode, uint32_t number,
		       struct mkrootfs_error *error)
{
	memset(i_block, 0, EXT4_I_BLOCK_SIZE);
	if (has_extents(inode))
		return write_extent_tree(w, i_block, number, error);
	if (S_ISLNK(inode->mode))
		memcpy(i_block, tree_string(w->plan->tree, inode), (size_t)inode->size);
	else if (S_ISCHR(inode->mode) || S_ISBLK(inode->mode))
		put_device(i_block, inode->data);
	return 0;
}

/* Names in other directories too: "." of its own, ".." of each directory in it. */
static uint32_t directory_links(const struct ext4_plan *plan, uint32_t item)
{
	uint32_t node = plan->items[item].node, links = 2;

	if (item == 0 && plan->items[1].node == 0)
		links++;
	for (uint32_t child = node ? tree_first_child(plan->tree, node) : 0; child;
	     child = tree_next_child(plan->tree, child))
		links += tree_is_directory(tree_inode_of(plan->tree, child));
	return links > EXT4_LINK_MAX ? 1 : links;
}

static void put_time(struct ext4_inode *out, const struct tree_inode *inode)
{
	out->time = inode->mtime;
	out->time_nsec = inode->mtime_nsec;
	if (out->time >= EXT4_TIME_MIN && out->time <= EXT4_TIME_MAX)
		return;
	out->time = out->time < 0 ? EXT4_TIME_MIN : EXT4_TIME_MAX;
	out->time_nsec = 0;
}

static int put_xattrs(struct writer *w, struct ext4_inode *out, uint32_t set,
		      struct mkrootfs_error *error)
{
	int status;

	if (set == 0)
		return 0;
	status = ext4_xattrs_encode(w->xattrs, &w->plan->tree->xattrs, set, error);
	if (status == 0 && w->xattrs->has_body)
		out->xattr_body = w->xattrs->body;
	if (status == 0 && w->xattrs->has_block) {
		out->xattr_block = next_xattr_block(w, &w->plan->sets[set]);
		out->blocks++;
	}
	return status;
}

static int encode_item(struct writer *w, uint8_t out[EXT4_INODE_SIZE], uint32_t item,
		       struct mkrootfs_error *error)
{
	const struct tree_inode *inode = ext4_plan_inode(w->plan, item);
	uint32_t number = ext4_plan_number(item), blocks = w->plan->items[item].directory_blocks;
	uint8_t i_block[EXT4_I_BLOCK_SIZE];
	struct ext4_inode encoded = { .mode = inode->mode,
				      .links = (uint16_t)inode->nlink,
				      .uid = inode->uid,
				      .gid = inode->gid,
				      .size = inode->size,
				      .i_block = i_block };
	int status = map_item(w, item, error);

	if (status == 0)
		status = put_i_block(w, i_block, inode, number, error);
	if (status < 0)
		return status;
	encoded.blocks = w->map.blocks + w->map.tree_count;
	encoded.flags = has_extents(inode) ? EXT4_EXTENTS_FL : 0;
	put_time(&encoded, inode);
	if (S_ISDIR(inode->mode)) {
		encoded.size = (uint64_t)blocks * EXT4_BLOCK_SIZE;
		encoded.links = (uint16_t)directory_links(w->plan, item);
		encoded.flags |= blocks > 1 ? EXT4_INDEX_FL : 0;
		w->directories[(number - 1) / w->layout.inodes_per_group]++;
	}
	if (w->plan->items[item].node == 0)
		encoded.time = w->options.time;
	status = put_xattrs(w, &encoded, inode->xattrs, error);
	ext4_encode_inode(out, &encoded, w->frame.seed, number);
	return status;
}

/* The inodes of the table so far, in whole blocks; they are all of one group. */
static int write_table(struct writer *w, uint32_t end, struct mkrootfs_error *error)
{
	uint32_t group = w->table_first / w->layout.inodes_per_group;
	uint32_t index = w->table_first % w->layout.inodes_per_group;
	uint32_t blocks =
		(end - w->table_first + EXT4_INODES_PER_BLOCK - 1) / EXT4_INODES_PER_BLOCK;
	struct ext4_group desc;
	int status;

	ext4_layout_group(&desc, &w->layout, group);
	status = image_file_write(
		w->frame.file, (desc.inode_table + index / EXT4_INODES_PER_BLOCK) * EXT4_BLOCK_SIZE,
		w->table, (size_t)blocks * EXT4_BLOCK_SIZE, error);
	memset(w->table, 0, (size_t)TABLE_BLOCKS * EXT4_BLOCK_SIZE);
	w->table_first = end;
	return status;
}

static int put_number(struct writer *w, uint32_t number, struct mkrootfs_error *error)
{
	uint8_t *out = w->table + (size_t)(number - 1 - w->table_first) * EXT4_INODE_SIZE;
	uint32_t item;

	if (number == EXT4_ROOT_INO)
		return encode_item(w, out, 0, error);
	if (number < EXT4_GOOD_OLD_FIRST_INO) {
		ext4_frame_inode(out, &w->frame, number);
		return 0;
	}
	item = number - ext4_plan_number(1) + 1;
	if (encode_item(w, out, item, error) < 0)
		return ext4_plan_error(w->plan, w->plan->items[item].node, error);
	return 0;
}

static int write_inodes(struct writer *w, struct mkrootfs_error *error)
{
	uint32_t last = w->frame.inodes;
	int status = 0;

	for (uint32_t number = 1; status == 0 && number <= last; number++) {
		status = put_number(w, number, error);
		if (status == 0 && (number - w->table_first == TABLE_INODES ||
				    number % w->layout.inodes_per_group == 0 || number == last))
			status = write_table(w, number, error);
	}
	return status;
}

/* ---- The whole ---- */

static int write_all(struct writer *w, struct mkrootfs_error *error)
{
	int status = image_file_resize(w->frame.file, w->layout.size, error);

	if (status == 0)
		status = write_names(w, error);
	if (status == 0)
		status = write_sets(w, error);
	if (status == 0)
		status = write_data(w, error);
	if (status == 0)
		status = write_inodes(w, error);
	return status < 0 ? status : ext4_frame_write(&w->frame, error);
}

static int prepare(struct writer *w, struct mkrootfs_error *error)
{
	w->frame.layout = &w->layout;
	w->frame.options = &w->options;
	w->frame.seed = ext4_checksum_seed(w->options.uuid);
	w->frame.inodes = ext4_plan_inodes(w->plan);
	w->frame.content_end = w->plan->end;
	w->map.layout = &w->layout;
	w->directories = calloc(w->layout.groups, sizeof(*w->directories));
	w->frame.directories = w->directories;
	w->table = calloc(TABLE_BLOCKS, EXT4_BLOCK_SIZE);
	if (!w->directories || !w->table)
		return error_no_memory(error);
	return ext4_xattrs_create(&w->xattrs, error);
}

static void release(struct writer *w)
{
	ext4_plan_free(w->plan);
	ext4_file_map_free(&w->map);
	ext4_xattrs_free(w->xattrs);
	free(w->directories);
	free(w->tree_blocks);
	free(w->table);
}

/* Whether there is room in a filesystem of these options; *layout is its layout then. */
static int try_layout(bool *fits, struct ext4_layout *layout, struct ext4_plan *plan,
		      const struct ext4_options *options, struct mkrootfs_error *error)
{
	int status = ext4_layout_plan(layout, options, error);

	*fits = false;
	if (status < 0)
		return status;
	if ((uint64_t)layout->groups * layout->inodes_per_group < ext4_plan_inodes(plan))
		return 0;
	status = ext4_plan_place(plan, layout, error);
	*fits = !plan->full;
	return status;
}

#define MIB (UINT64_C(1) << 20)

/* Sizes that do not work for other reasons count as too small. */
static bool fits_size(struct ext4_plan *plan, struct ext4_options options, uint64_t size)
{
	struct ext4_layout layout;
	struct mkrootfs_error ignored;
	bool fits;

	options.size = size;
	return try_layout(&fits, &layout, plan, &options, &ignored) == 0 && fits;
}

static int too_small(struct ext4_plan *plan, const struct ext4_options *options,
		     struct mkrootfs_error *error)
{
	uint64_t low = options->size / MIB, high = low ? low : 1;

	while (!fits_size(plan, *options, high * MIB)) {
		low = high;
		high *= 2;
		if (high * MIB > EXT4_MAX_SIZE)
			return error_set(error, MKROOTFS_ERROR_INVALID,
					 "too much for the largest filesystem");
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (fits_size(plan, *options, middle * MIB))
			high = middle;
		else
			low = middle;
	}
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "a size of %" PRIu64 " bytes is too small for what it has to hold: the "
			 "least size is %" PRIu64 " MiB",
			 options->size, high);
}

static int plan_layout(struct writer *w, struct mkrootfs_error *error)
{
	bool fits;
	int status;

	if (w->options.least_inodes < ext4_plan_inodes(w->plan))
		w->options.least_inodes = ext4_plan_inodes(w->plan);
	status = try_layout(&fits, &w->layout, w->plan, &w->options, error);
	return status == 0 && !fits ? too_small(w->plan, &w->options, error) : status;
}

static void warn_times(const struct writer *w)
{
	struct mkrootfs_error text;
	char path[300];

	if (w->plan->clamped == 0 || !w->contents->warn)
		return;
	tree_path(w->plan->tree, w->plan->clamped_node, path, sizeof(path));
	error_set(&text, 0,
		  "times before 1901 or past 2446 became the nearest that ext4 holds: of %" PRIu64
		  " files, such as '/%s'",
		  w->plan->clamped, path);
	w->contents->warn(w->contents->user, text.message);
}

int ext4_write_tree(struct image_file *file, const struct tree *tree,
		    const struct ext4_contents *contents, const struct ext4_options *options,
		    struct mkrootfs_error *error)
{
	struct writer w = { .options = *options, .contents = contents, .frame.file = file };
	uint8_t hash_seed[16];
	int status;

	ext4_hash_seed(hash_seed, options->uuid);
	status = ext4_plan_create(&w.plan, tree, hash_seed, error);
	if (status == 0)
		status = plan_layout(&w, error);
	if (status == 0)
		status = prepare(&w, error);
	if (status == 0) {
		warn_times(&w);
		status = write_all(&w, error);
		if (status < 0)
			error_prefix(error, "ext4 image: ");
	}
	release(&w);
	return status;
}

int ext4_tree_measure(struct ext4_needs *needs, const struct tree *tree,
		      struct mkrootfs_error *error)
{
	static const uint8_t seed[16] = { 1 };
	struct ext4_plan *plan;
	int status = ext4_plan_create(&plan, tree, seed, error);

	*needs = (struct ext4_needs){ 0 };
	if (status < 0)
		return status;
	*needs = (struct ext4_needs){ .blocks = plan->blocks,
				      .data = plan->data,
				      .inodes = ext4_plan_inodes(plan) };
	ext4_plan_free(plan);
	return 0;
}
