/* SPDX-License-Identifier: Apache-2.0 */
#include "image_file.h"

#include "file_sync.h"
#include "image_file_private.h"
#include "raw_file.h"
#include "temp_file.h"
#include "write_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define DIRECT_SIZE (64u << 10) /* bytes from which a write goes past the buffer */

struct image_file {
	struct raw_file raw;
	struct temp_file temp; /* not of a borrowed file */
	bool borrowed;
	struct write_buffer buffer;
	struct mkrootfs_error failure; /* the first failed write, after which nothing commits */
};

static int keep_failure(struct image_file *file, int status, const struct mkrootfs_error *error)
{
	if (status < 0 && file->failure.status == 0)
		file->failure = *error;
	return status;
}

static int flush(struct image_file *file, struct mkrootfs_error *error)
{
	struct write_buffer *buffer = &file->buffer;
	int status = 0;

	if (buffer->len > 0)
		status = raw_file_write(&file->raw, buffer->offset, buffer->data, buffer->len,
					error);
	if (status == 0)
		status = write_buffer_empty(buffer, error);
	return keep_failure(file, status, error);
}

static int check(const struct image_file *file, uint64_t offset, uint64_t len,
		 struct mkrootfs_error *error)
{
	if (file->failure.status == 0)
		return raw_file_check(&file->raw, offset, len, error);
	*error = file->failure;
	return error->status;
}

static int write_direct(struct image_file *file, uint64_t offset, const void *data, size_t len,
			struct mkrootfs_error *error)
{
	int status = flush(file, error);

	if (status < 0)
		return status;
	return keep_failure(file, raw_file_write(&file->raw, offset, data, len, error), error);
}

void image_file_sync_early(struct image_file *file)
{
	file->raw.sync_early = true;
}

int image_file_write(struct image_file *file, uint64_t offset, const void *data, size_t len,
		     struct mkrootfs_error *error)
{
	const uint8_t *at = data;
	int status = check(file, offset, len, error);

	if (status == 0 && len >= DIRECT_SIZE)
		return write_direct(file, offset, data, len, error);
	while (status == 0 && len > 0) {
		size_t taken = write_buffer_put(&file->buffer, offset, at, len);

		at += taken;
		offset += taken;
		len -= taken;
		if (len > 0)
			status = flush(file, error);
	}
	return status;
}

int image_file_copy(struct image_file *file, uint64_t offset, int from, uint64_t from_offset,
		    uint64_t len, struct mkrootfs_error *error)
{
	int status = check(file, offset, len, error);

	/* On a device, what is not there yet is zeroed on the way. */
	if (status == 0)
		status = flush(file, error);
	if (status < 0)
		return status;
	status = raw_file_copy(&file->raw, offset, from, from_offset, len, error);
	return keep_failure(file, status, error);
}

int image_file_read(struct image_file *file, uint64_t offset, void *data, size_t len,
		    struct mkrootfs_error *error)
{
	int status = check(file, offset, len, error);

	if (status < 0 || len == 0 || write_buffer_get(&file->buffer, offset, data, len))
		return status;
	/* Also where only the buffer makes the file so long. */
	if (write_buffer_overlaps(&file->buffer, offset, len) || offset + len > file->raw.filled)
		status = flush(file, error);
	return status < 0 ? status : raw_file_read(&file->raw, offset, data, len, error);
}

int image_file_resize(struct image_file *file, uint64_t size, struct mkrootfs_error *error)
{
	int status = check(file, 0, size, error);

	if (status == 0)
		status = flush(file, error);
	if (status < 0)
		return status;
	return keep_failure(file, raw_file_resize(&file->raw, size, error), error);
}

/* The folder is opened first: what can fail should fail while there is no new name. */
static int publish(struct image_file *file, const char *path, unsigned flags,
		   struct mkrootfs_error *error)
{
	bool sync = !(flags & IMAGE_FILE_NO_SYNC);
	int status, folder = sync ? folder_open(path) : -1;

	if (sync && folder < 0)
		return error_set_errno(error, errno, "open the folder of '%s'", path);
	status = temp_file_publish(&file->temp, path, flags & IMAGE_FILE_REPLACE, error);
	if (status == 0 && sync && folder_sync(folder) < 0)
		status = error_set_errno(error, errno, "sync the folder of '%s'", path);
	if (folder >= 0)
		close(folder);
	return status;
}

int image_file_commit(struct image_file *file, const char *path, unsigned flags,
		      struct mkrootfs_error *error)
{
	int status = check(file, 0, 0, error);

	if (status == 0)
		status = flush(file, error);
	if (status == 0 && !(flags & IMAGE_FILE_NO_SYNC))
		status = keep_failure(file, raw_file_sync(&file->raw, error), error);
	if (status < 0 || file->borrowed)
		return status;
	return publish(file, path, flags, error);
}

void image_file_close(struct image_file *file)
{
	if (!file)
		return;
	raw_file_free(&file->raw); /* first: a thread may be syncing it */
	if (!file->borrowed)
		temp_file_close(&file->temp);
	write_buffer_free(&file->buffer);
	free(file);
}

static int create(struct image_file **out, const char *folder, bool named,
		  struct mkrootfs_error *error)
{
	struct image_file *file = calloc(1, sizeof(*file));
	int status;

	*out = NULL;
	if (!file)
		return error_no_memory(error);
	status = temp_file_open(&file->temp, folder, named, error);
	if (status < 0) {
		free(file);
		return status;
	}
	status = raw_file_init(&file->raw, file->temp.fd, error, "a new file in '%s'", folder);
	if (status < 0) {
		image_file_close(file);
		return status;
	}
	*out = file;
	return 0;
}

int image_file_create(struct image_file **out, const char *folder, struct mkrootfs_error *error)
{
	return create(out, folder, false, error);
}

int image_file_create_named(struct image_file **out, const char *folder,
			    struct mkrootfs_error *error)
{
	return create(out, folder, true, error);
}

int image_file_borrow(struct image_file **out, int fd, struct mkrootfs_error *error)
{
	struct image_file *file = calloc(1, sizeof(*file));
	int status;

	*out = NULL;
	if (!file)
		return error_no_memory(error);
	file->borrowed = true;
	status = raw_file_init(&file->raw, fd, error, "file descriptor %d", fd);
	if (status == 0 && !file->raw.device)
		status = raw_file_resize(&file->raw, 0, error);
	if (status < 0) {
		image_file_close(file);
		return status;
	}
	*out = file;
	return 0;
}
