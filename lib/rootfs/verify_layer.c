/* SPDX-License-Identifier: Apache-2.0 */
/* A layer image in a store. */
#include "verify_run.h"

#include "../base/array.h"
#include "identity.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const struct verified_file *find(const struct verify_run *run, const struct stat *st,
					const struct digest *diff_id)
{
	for (size_t i = 0; i < run->file_count; i++)
		if (run->files[i].device == st->st_dev && run->files[i].inode == st->st_ino &&
		    digest_equal(&run->files[i].diff_id, diff_id))
			return &run->files[i];
	return NULL;
}

static int remember(struct verify_run *run, const struct stat *st, const struct digest *diff_id,
		    bool damaged, struct mkrootfs_error *error)
{
	int status = array_reserve(&run->files, &run->file_room, run->file_count,
				   sizeof(*run->files), error);

	if (status == 0)
		run->files[run->file_count++] =
			(struct verified_file){ st->st_dev, st->st_ino, *diff_id, damaged };
	return status;
}

static int read_layer(struct verify_run *run, const char *path, const struct digest *diff_id,
		      struct mkrootfs_error *error)
{
	struct erofs_reader *reader;
	uint8_t uuid[UUID_SIZE];
	int status = identity_of_layer(uuid, diff_id, error);

	if (status == 0)
		status = erofs_reader_open(&reader, path, error);
	if (status < 0)
		return status;
	if (memcmp(erofs_reader_superblock(reader)->uuid, uuid, UUID_SIZE) != 0)
		status = verify_run_tell(
			run, path, NULL,
			"not this layer's image as this version makes it: a pull replaces it",
			error);
	if (status == 0)
		status = verify_run_image(run, reader, true, false, error);
	erofs_reader_close(reader);
	return status;
}

bool verify_layer_known(const struct verify_run *run, const char *path,
			const struct digest *diff_id)
{
	struct stat st;

	return lstat(path, &st) == 0 && find(run, &st, diff_id);
}

int verify_layer_file(struct verify_run *run, const char *path, const struct digest *diff_id,
		      struct mkrootfs_error *error)
{
	const struct verified_file *known;
	uint64_t before = run->result->problems;
	struct stat st;
	int status;

	if (lstat(path, &st) < 0)
		return verify_run_soften(run, path, error_set_errno(error, errno, "layer"), error);
	known = find(run, &st, diff_id);
	if (known)
		return known->damaged
			       ? verify_run_tell(run, path, NULL,
						 "the layer is damaged, as told before", error)
			       : 0;
	status = verify_run_soften(run, path, read_layer(run, path, diff_id, error), error);
	if (status == 0)
		status = remember(run, &st, diff_id, run->result->problems > before, error);
	return status;
}
