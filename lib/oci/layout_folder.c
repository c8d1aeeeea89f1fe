/* SPDX-License-Identifier: Apache-2.0 */
#include "layout_folder.h"

#include "../base/jval.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_regular(int fd, const char *name, struct mkrootfs_error *error)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set_errno(error, errno, "stat '%s'", name);
	if (!S_ISREG(st.st_mode))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%s' is no regular file", name);
	return 0;
}

static int seek(int fd, const char *name, uint64_t offset, struct mkrootfs_error *error)
{
	if (offset == 0 || lseek(fd, (off_t)offset, SEEK_SET) >= 0)
		return 0;
	return error_set_errno(error, errno, "seek in '%s'", name);
}

int layout_folder_file(struct source **out, const struct layout_folder *folder, const char *name,
		       uint64_t offset, struct mkrootfs_error *error)
{
	int fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	*out = NULL;
	if (fd < 0 && errno == ELOOP)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%s' is a symbolic link", name);
	if (fd < 0)
		return error_set_errno(error, errno, "open '%s'", name);
	if (check_regular(fd, name, error) < 0 || seek(fd, name, offset, error) < 0 ||
	    source_fd(out, fd, error) < 0) {
		close(fd);
		return error->status;
	}
	return 0;
}

int layout_folder_read(struct buf *out, const struct layout_folder *folder, const char *name,
		       struct mkrootfs_error *error)
{
	struct source *source;
	int status = layout_folder_file(&source, folder, name, 0, error);

	if (status < 0)
		return status;
	status = source_read_all(out, source, error);
	source_close(source);
	return status < 0 ? error_prefix(error, "'%s': ", name) : 0;
}

static int check_version(const struct jval *root, struct mkrootfs_error *error)
{
	const char *version = jval_text(jval_get(root, "imageLayoutVersion"));

	if (!version)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "oci-layout has no imageLayoutVersion");
	if (strncmp(version, "1.", 2) != 0)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "image layout version '%.40s' is not supported", version);
	return 0;
}

static int check_marker(const struct layout_folder *folder, struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(4096);
	struct jval *root = NULL;
	int status = layout_folder_read(&bytes, folder, "oci-layout", error);

	if (status == 0)
		status = jval_parse(&root, bytes.data, bytes.len, error);
	if (status == 0)
		status = check_version(root, error);
	jval_free(root);
	buf_free(&bytes);
	return status;
}

int layout_folder_open(struct layout_folder *folder, const char *path, struct mkrootfs_error *error)
{
	folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder->fd < 0)
		return error_set_errno(error, errno, "open the folder");
	return check_marker(folder, error);
}

void layout_folder_close(struct layout_folder *folder)
{
	if (folder->fd >= 0)
		close(folder->fd);
	folder->fd = -1;
}

void layout_blob_name(char name[LAYOUT_BLOB_NAME_SIZE], const struct digest *digest)
{
	char text[DIGEST_TEXT_SIZE];

	digest_format(text, digest);
	*strchr(text, ':') = '/';
	snprintf(name, LAYOUT_BLOB_NAME_SIZE, "blobs/%s", text);
}
