/* SPDX-License-Identifier: Apache-2.0 */
#include "partial.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct partial {
	int fd;
	uint64_t size; /* bytes that were there when it was opened or cleared */
	struct buf path;
};

static int set_path(struct buf *path, const struct store *store, const struct digest *digest,
		    struct mkrootfs_error *error)
{
	char text[DIGEST_TEXT_SIZE];

	digest_format(text, digest);
	*strchr(text, ':') = '-';
	return buf_printf(path, error, "%s/partial/%s", store_path(store), text);
}

/* A file that lost its name to the one who held it before is not the one that others find. */
static bool lock_and_measure(struct partial *partial, uint64_t blob_size)
{
	struct stat st;

	if (flock(partial->fd, LOCK_EX | LOCK_NB) < 0 || fstat(partial->fd, &st) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_nlink == 0)
		return false;
	partial->size = (uint64_t)st.st_size;
	if (partial->size > blob_size)
		partial_clear(partial);
	return true;
}

static bool open_file(struct partial *partial, uint64_t blob_size)
{
	const char *path = (const char *)partial->path.data;

	partial->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	return partial->fd >= 0 && lock_and_measure(partial, blob_size);
}

int partial_open(struct partial **out, const struct store *store, const struct digest *digest,
		 uint64_t size, struct mkrootfs_error *error)
{
	struct partial *partial = malloc(sizeof(*partial));
	int status;

	*out = NULL;
	if (!partial)
		return error_no_memory(error);
	*partial = (struct partial){ .fd = -1, .path = BUF_INIT(STORE_PATH_MAX) };
	status = set_path(&partial->path, store, digest, error);
	if (status == 0 && open_file(partial, size)) {
		*out = partial;
		return 0;
	}
	if (partial->fd >= 0)
		close(partial->fd);
	buf_free(&partial->path);
	free(partial);
	return status;
}

uint64_t partial_size(const struct partial *partial)
{
	return partial->size;
}

int partial_fd(const struct partial *partial)
{
	return partial->fd;
}

void partial_clear(struct partial *partial)
{
	int ignored = ftruncate(partial->fd, 0);

	(void)ignored;
	partial->size = 0;
}

void partial_close(struct partial *partial, enum partial_fate fate)
{
	struct stat st;

	if (!partial)
		return;
	if (fate == PARTIAL_REMOVE || fstat(partial->fd, &st) < 0 || st.st_size == 0)
		unlink((const char *)partial->path.data);
	close(partial->fd);
	buf_free(&partial->path);
	free(partial);
}
