/* SPDX-License-Identifier: Apache-2.0 */
#include "clone.h"

#include "../io/file_claim.h"
#include "../io/file_copy.h"
#include "../io/file_sync.h"
#include "../io/regular_file.h"
#include "../io/temp_file.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A shared copy is of one moment, whoever writes to the file; a journal brings that in order. One
 * that is read bit by bit meanwhile would be of no moment at all.
 */
static int fill(int from, const char *from_path, const struct temp_file *to,
		struct mkrootfs_error *error)
{
	int busy = file_claim(from, false);

	if (file_share(from, to->fd) == 0)
		return 0;
	if (busy < 0) {
		error_set(error, MKROOTFS_ERROR_IO,
			  "'%s': another process uses it, and this filesystem cannot share blocks",
			  from_path);
		error->os_errno = EBUSY;
		return error_advise(error, "stop the machine first, or keep the file on a "
					   "filesystem with reflinks, such as btrfs or XFS");
	}
	if (file_copy_bytes(from, to->fd) < 0)
		return error_set_errno(error, errno, "copy '%s'", from_path);
	return 0;
}

static int publish(struct temp_file *file, const char *path, int replace,
		   struct mkrootfs_error *error)
{
	int folder = folder_open(path), status = 0;

	if (folder < 0)
		return error_set_errno(error, errno, "open the folder of '%s'", path);
	if (file_sync(file->fd) < 0)
		status = error_set_errno(error, errno, "sync the copy");
	if (status == 0)
		status = temp_file_publish(file, path, replace, error);
	if (status == 0 && folder_sync(folder) < 0)
		status = error_set_errno(error, errno, "sync the folder of '%s'", path);
	close(folder);
	return status;
}

/* Who could not read the original shall not read the copy. */
static int keep_out(int from, int to, struct mkrootfs_error *error)
{
	struct stat original, copy;

	if (fstat(from, &original) == 0 && fstat(to, &copy) == 0 &&
	    fchmod(to, original.st_mode & copy.st_mode & 0777) == 0)
		return 0;
	return error_set_errno(error, errno, "permissions of the copy");
}

static int clone_to(int from, const char *from_path, const char *to, int replace,
		    struct mkrootfs_error *error)
{
	struct temp_file file;
	char *folder;
	int status = output_folder(&folder, to, error);

	if (status < 0)
		return status;
	status = temp_file_open(&file, folder, false, error);
	free(folder);
	if (status < 0)
		return status;
	status = keep_out(from, file.fd, error);
	if (status == 0)
		status = fill(from, from_path, &file, error);
	if (status == 0)
		status = publish(&file, to, replace, error);
	temp_file_close(&file);
	return status;
}

int clone_upper(const char *from, const char *to, int replace, struct mkrootfs_error *error)
{
	int fd, status = output_check(to, replace, error);

	if (status == 0)
		status = regular_file_open(&fd, from, error);
	if (status < 0)
		return status;
	status = clone_to(fd, from, to, replace, error);
	close(fd);
	return status;
}
