/* SPDX-License-Identifier: Apache-2.0 */
/* An image folder: documents, layers, fsmeta, descriptor. */
#include "verify_run.h"

#include "../base/array.h"
#include "../io/file_range.h"
#include "../store/folder.h"
#include "../store/store.h"
#include "fsmeta.h"
#include "image_check.h"
#include "image_documents.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- fsmeta against a fresh merge ---- */

#define COMPARE_SIZE (1u << 18) /* bytes at a time */

/* The merge tells again what the pull told: only the question whether to go on passes. */
static int only_waiting(void *user, const struct mkrootfs_event *event)
{
	return event->kind == MKROOTFS_EVENT_WAITING ? events_wait(user) : 0;
}

static int merge_into(int fd, const struct stack *stack, struct verify_run *run,
		      struct mkrootfs_error *error)
{
	struct events quiet = { .fn = only_waiting, .user = &run->events };
	struct image_file *file;
	uint64_t inodes;
	int status = image_file_borrow(&file, fd, error);

	if (status < 0)
		return status;
	status = fsmeta_write(file, &inodes, stack, NULL, &quiet, error);
	if (status == 0)
		status = image_file_commit(file, "", IMAGE_FILE_NO_SYNC, error);
	image_file_close(file);
	return status;
}

static int compare(bool *same, int fd, struct erofs_reader *reader, struct mkrootfs_error *error)
{
	uint64_t size = erofs_reader_size(reader);
	uint8_t *bytes = malloc(2 * COMPARE_SIZE);
	struct stat st;
	int status = bytes ? 0 : error_no_memory(error);

	*same = fstat(fd, &st) == 0 && (uint64_t)st.st_size == size;
	for (uint64_t at = 0; status == 0 && *same && at < size; at += COMPARE_SIZE) {
		size_t len = size - at < COMPARE_SIZE ? (size_t)(size - at) : COMPARE_SIZE, got;

		status = erofs_reader_read(reader, at, bytes, len, error);
		if (status == 0)
			*same = file_range_read(fd, at, bytes + COMPARE_SIZE, len, &got) == 0 &&
				!memcmp(bytes, bytes + COMPARE_SIZE, len);
	}
	free(bytes);
	return status;
}

/* In memory: what is verified may lie on a disk that cannot be written. */
static int check_merge(struct verify_run *run, const struct mkrootfs_image *image,
		       struct erofs_reader *reader, const struct stack *stack,
		       struct mkrootfs_error *error)
{
	int fd = memfd_create("fsmeta", MFD_CLOEXEC), status;
	bool same = true;

	if (fd < 0)
		return error_no_memory(error);
	status = merge_into(fd, stack, run, error);
	if (status == 0)
		status = compare(&same, fd, reader, error);
	close(fd);
	if (status == 0 && !same)
		status = verify_run_tell(run, image->fsmeta, NULL,
					 "not what a merge of the layers gives", error);
	return status;
}

static int check_fsmeta(struct verify_run *run, const struct mkrootfs_image *image,
			const struct stack *stack, struct mkrootfs_error *error)
{
	uint64_t before = run->result->problems;
	struct erofs_reader *reader;
	int status = image_check_fsmeta(image, stack, error);

	if (status == 0)
		status = erofs_reader_open(&reader, image->fsmeta, error);
	if (status < 0)
		return verify_run_soften(run, image->fsmeta, status, error);
	status = verify_run_image(run, reader, true, true, error);
	/* Damage was told already. */
	if (status == 0 && run->result->problems == before)
		status = check_merge(run, image, reader, stack, error);
	erofs_reader_close(reader);
	return verify_run_soften(run, image->fsmeta, status, error);
}

/* ---- The whole ---- */

static int check_layers(struct verify_run *run, const struct mkrootfs_image *image,
			struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = 0;

	for (size_t i = 0; status == 0 && i < image->config.diff_id_count; i++) {
		const struct digest *diff_id = &image->config.diff_ids[i];
		char name[DIGEST_TEXT_SIZE + 8];
		bool again = false;

		for (size_t j = 0; j < i; j++)
			again = again || digest_equal(diff_id, &image->config.diff_ids[j]);
		if (again)
			continue;
		image_layer_name(name, diff_id);
		buf_clear(&path);
		status = buf_printf(&path, error, "%s/%s", image->directory, name);
		if (status == 0)
			status = verify_layer_file(run, (char *)path.data, diff_id, error);
	}
	buf_free(&path);
	return status;
}

/* Of layers that are damaged, nothing more can be said about the image. */
static int check_stack(struct verify_run *run, struct mkrootfs_image *image,
		       struct mkrootfs_error *error)
{
	struct stack stack;
	int status = image_describe_layers(image, error);

	if (status == 0)
		status = image_open_stack(&stack, image, error);
	if (status < 0)
		return verify_run_soften(run, image->directory, status, error);
	status = check_fsmeta(run, image, &stack, error);
	if (status == 0)
		status = verify_run_soften(run, image->disk, image_check_disk(image, &stack, error),
					   error);
	stack_free(&stack);
	return status;
}

static int check_all(struct verify_run *run, struct mkrootfs_image *image,
		     struct mkrootfs_error *error)
{
	uint64_t before = run->result->problems;
	struct stat st;
	int status;

	if (stat(image->directory, &st) < 0 || !S_ISDIR(st.st_mode))
		return verify_run_tell(run, image->directory, NULL, "the image's folder is missing",
				       error);
	status = image_read_documents(image, error);
	if (status < 0)
		return verify_run_soften(run, image->directory, status, error);
	status = check_layers(run, image, error);
	if (status == 0 && run->result->problems == before)
		status = check_stack(run, image, error);
	return status;
}

static int remember(struct verify_run *run, const char *directory, const struct digest *manifest,
		    struct mkrootfs_error *error)
{
	struct stat st;
	int status = array_reserve(&run->folders, &run->folder_room, run->folder_count,
				   sizeof(*run->folders), error);

	if (status == 0 && lstat(directory, &st) == 0)
		run->folders[run->folder_count++] =
			(struct damaged_folder){ *manifest, st.st_dev, st.st_ino };
	return status;
}

int verify_folder(struct verify_run *run, const char *directory, const struct digest *manifest,
		  const char *reference, struct mkrootfs_error *error)
{
	uint64_t before = run->result->problems;
	struct mkrootfs_image *image;
	int status = image_new(&image, directory, manifest, reference, error);

	if (status < 0)
		return status;
	run->name = *reference ? image->reference : image->digest;
	status = check_all(run, image, error);
	if (status == 0 && run->result->problems > before)
		status = remember(run, directory, manifest, error);
	if (status == 0)
		status = verify_run_report(run, MKROOTFS_EVENT_VERIFIED, run->name,
					   run->result->problems - before, error);
	run->name = NULL;
	image_free(image);
	return status;
}
