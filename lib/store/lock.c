/* SPDX-License-Identifier: Apache-2.0 */
#include "lock.h"

#include "../base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Open-file-description locks belong to the descriptor, so threads exclude each other too. */
#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#else
#define SET_LOCK F_SETLK
#endif

struct lock {
	int fd;
};

/* Two digests with the same byte only wait for each other without need. */
static off_t byte_of(const struct digest *digest)
{
	return (off_t)(get_le64(digest->bytes) >> 2);
}

static int try_lock(int fd, const struct digest *digest)
{
	struct flock range = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte_of(digest), .l_len = 1
	};

	return fcntl(fd, SET_LOCK, &range) == 0 ? 0 : errno;
}

/* Where the filesystem knows no locks, two writers do the same work twice; results stay right. */
static bool is_unsupported(int reason)
{
	return reason == ENOLCK || reason == ENOTSUP || reason == EOPNOTSUPP || reason == ENOSYS;
}

static int wait_for_lock(int fd, const char *path, const struct digest *digest, lock_wait_fn wait,
			 void *user, struct mkrootfs_error *error)
{
	static const struct timespec pause = { .tv_nsec = 100000000 };
	int reason;

	while ((reason = try_lock(fd, digest)) != 0 && !is_unsupported(reason)) {
		if (reason != EAGAIN && reason != EACCES && reason != EINTR)
			return error_set_errno(error, reason, "lock '%s'", path);
		if (wait && wait(user))
			return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
		nanosleep(&pause, NULL);
	}
	return 0;
}

int lock_take(struct lock **out, const char *path, const struct digest *digest, lock_wait_fn wait,
	      void *user, struct mkrootfs_error *error)
{
	struct lock *lock = calloc(1, sizeof(*lock));
	int status = 0;

	*out = NULL;
	if (!lock)
		return error_no_memory(error);
	lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock->fd < 0)
		status = error_set_errno(error, errno, "open '%s'", path);
	if (status == 0)
		status = wait_for_lock(lock->fd, path, digest, wait, user, error);
	if (status < 0) {
		lock_release(lock);
		return status;
	}
	*out = lock;
	return 0;
}

void lock_release(struct lock *lock)
{
	if (!lock)
		return;
	if (lock->fd >= 0)
		close(lock->fd);
	free(lock);
}
