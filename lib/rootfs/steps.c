/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "../vmdk/descriptor.h"
#include "disk.h"
#include "fsmeta.h"
#include "layer_pump.h"
#include "limits.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

/* ---- A layer ---- */

struct layer_step {
	struct layer_options options;
	struct digest blob, expected, diff_id;
	struct events events;
	mkrootfs_read_fn read;
	void *user;
	unsigned threads;
};

static int parse_expected(struct layer_step *step, const struct mkrootfs_layer_options *options,
			  struct mkrootfs_error *error)
{
	int status = 0;

	step->options = (struct layer_options){ .blob_size = -1,
						.limits = limits_or_defaults(&options->limits),
						.events = &step->events };
	if (options->blob_digest) {
		status = digest_parse(&step->blob, options->blob_digest, error);
		step->options.blob = &step->blob;
	}
	if (status == 0 && options->diff_id) {
		status = digest_parse(&step->expected, options->diff_id, error);
		step->options.diff_id = &step->expected;
	}
	/* These digests are the caller's own arguments. */
	if (status < 0)
		error->status = status = MKROOTFS_ERROR_INVALID;
	return status;
}

static int fill_layer(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	struct layer_step *step = user;
	struct source *source;
	int status = source_callback(&source, step->read, step->user, error);

	return status < 0 ? status
			  : layer_pump_convert(file, &step->diff_id, source, &step->options,
					       step->threads, error);
}

int step_layer(const char *path, char *diff_id, mkrootfs_read_fn read, void *user,
	       const struct mkrootfs_layer_options *options, struct mkrootfs_error *error)
{
	struct layer_step step = { .events = { .fn = options->events,
					       .user = options->events_user },
				   .read = read,
				   .user = user,
				   .threads = options->threads };
	int status = parse_expected(&step, options, error);

	if (status == 0)
		status = output_write(path, options->replace, fill_layer, &step, error);
	if (status == 0 && diff_id)
		digest_format(diff_id, &step.diff_id);
	return status;
}

/* ---- The merge ---- */

struct fsmeta_step {
	struct stack stack;
	struct events events;
	uint64_t inodes;
};

static int fill_fsmeta(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	struct fsmeta_step *step = user;

	return fsmeta_write(file, &step->inodes, &step->stack, NULL, &step->events, error);
}

static int refuse_layers(const char *path, const char *const *layers, size_t count,
			 struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; i < count && status == 0; i++)
		status = output_refuse_input(path, layers[i], error);
	return status;
}

int step_fsmeta(const char *path, const char *const *layers, size_t count,
		const struct mkrootfs_merge_options *options, struct mkrootfs_error *error)
{
	struct fsmeta_step step = { .events = { .fn = options->events,
						.user = options->events_user,
						.layer_count = (uint32_t)count } };
	int status = refuse_layers(path, layers, count, error);

	if (status < 0 || (status = stack_open(&step.stack, layers, count, error)) < 0)
		return status;
	status = output_write(path, options->replace, fill_fsmeta, &step, error);
	stack_free(&step.stack);
	return status;
}

/* ---- The descriptor ---- */

static int fill_text(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	const struct buf *text = user;

	return image_file_write(file, 0, text->data, text->len, error);
}

/* Names only: a path in the descriptor would break when the folder moves. */
static int check_names(const char *path, const char *const *files, size_t count,
		       struct mkrootfs_error *error)
{
	const char *slash = strrchr(path, '/');
	const char *own = slash ? slash + 1 : path;

	for (size_t i = 0; i < count; i++) {
		if (strchr(files[i], '/'))
			return error_set(
				error, MKROOTFS_ERROR_INVALID,
				"'%s' is a path: give names of files beside the descriptor",
				files[i]);
		if (strcmp(files[i], own) == 0)
			return error_set(error, MKROOTFS_ERROR_INVALID,
					 "'%s' cannot be a part of itself", path);
	}
	return 0;
}

int step_disk(const char *path, const char *const *files, size_t count, int replace,
	      struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	char *folder = NULL;
	uint64_t size;
	int status = check_names(path, files, count, error);

	if (status == 0)
		status = output_folder(&folder, path, error);
	if (status == 0)
		status = disk_describe(&text, &size, folder, files, count, error);
	if (status == 0)
		status = output_write(path, replace, fill_text, &text, error);
	free(folder);
	buf_free(&text);
	return status;
}
