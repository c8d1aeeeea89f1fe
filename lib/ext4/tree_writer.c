/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_writer.h"

#include "data_copy.h"
#include "encode.h"
#include "tree_fit.h"
#include "tree_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#define SPARE_INODES 64u

int ext4_write_block(struct ext4_tree_writer *w, uint64_t number, const uint8_t *block,
		     struct mkrootfs_error *error)
{
	return image_file_write(w->frame.file, number * EXT4_BLOCK_SIZE, block, EXT4_BLOCK_SIZE,
				error);
}

int ext4_map_item(struct ext4_tree_writer *w, uint32_t item, struct mkrootfs_error *error)
{
	uint64_t next = w->plan->items[item].start;

	return ext4_file_map(&w->map, w->plan->tree, ext4_plan_inode(w->plan, item),
			     w->plan->items[item].directory_blocks, &next, error);
}

static int write_data(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	struct ext4_data_copy copy = { .file = w->frame.file, .contents = w->contents };
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < w->plan->file_count; i++) {
		uint32_t item = w->plan->files[i];

		status = ext4_map_item(w, item, error);
		if (status == 0)
			status =
				ext4_data_copy_file(&copy, w->plan->tree,
						    ext4_plan_inode(w->plan, item), &w->map, error);
	}
	return status < 0 ? status : ext4_data_copy_finish(&copy, error);
}

static int write_all(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	int status = image_file_resize(w->frame.file, w->layout.size, error);

	if (status == 0)
		status = ext4_write_names(w, error);
	if (status == 0)
		status = write_data(w, error);
	if (status == 0)
		status = ext4_write_inodes(w, error);
	return status < 0 ? status : ext4_frame_write(&w->frame, error);
}

/* An upper has a dozen inodes. */
static uint32_t table_blocks(uint32_t inodes)
{
	uint32_t blocks = (inodes + EXT4_INODES_PER_BLOCK - 1) / EXT4_INODES_PER_BLOCK;

	return blocks < EXT4_TABLE_BLOCKS ? blocks : EXT4_TABLE_BLOCKS;
}

static int prepare(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	w->frame.layout = &w->layout;
	w->frame.options = &w->options;
	w->frame.seed = ext4_checksum_seed(w->options.uuid);
	w->frame.inodes = ext4_plan_inodes(w->plan);
	w->frame.content_end = w->plan->end;
	w->map.layout = &w->layout;
	w->directories = calloc(w->layout.groups, sizeof(*w->directories));
	w->frame.directories = w->directories;
	w->table = calloc(table_blocks(w->frame.inodes), EXT4_BLOCK_SIZE);
	if (!w->directories || !w->table)
		return error_no_memory(error);
	return ext4_xattrs_create(&w->xattrs, error);
}

static void release(struct ext4_tree_writer *w)
{
	ext4_plan_free(w->plan);
	ext4_file_map_free(&w->map);
	ext4_xattrs_free(w->xattrs);
	free(w->directories);
	free(w->tree_blocks);
	free(w->table);
}

/* A guest has to make files too: those of its first start, at least. */
static int plan_layout(struct ext4_tree_writer *w, struct mkrootfs_error *error)
{
	uint32_t used = ext4_plan_inodes(w->plan), least = used + used / 16 + SPARE_INODES;

	if (w->options.least_inodes < least)
		w->options.least_inodes = least;
	return ext4_fit(&w->layout, w->plan, &w->options, error);
}

static void warn_times(const struct ext4_tree_writer *w)
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
	struct ext4_tree_writer w = { .options = *options,
				      .contents = contents,
				      .frame.file = file };
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
