/* SPDX-License-Identifier: Apache-2.0 */
#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int regular_file_open(int *fd, const char *path, struct mkrootfs_error *error)
{
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0)
		return error_set_errno(error, errno, "open '%s'", path);
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	close(*fd);
	*fd = -1;
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%s' is no regular file", path);
}
