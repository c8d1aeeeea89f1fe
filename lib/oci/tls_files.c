/* SPDX-License-Identifier: Apache-2.0 */
#include "tls_files.h"

#include "../io/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES_MAX 1000 /* files of a folder that are looked at */

/* A file that the user named: whatever is wrong with it is a wrong value of an option. */
static int invalid(struct mkrootfs_error *error)
{
	error->status = MKROOTFS_ERROR_INVALID;
	return error->status;
}

static int read_file(struct buf *out, const char *path, struct mkrootfs_error *error)
{
	struct source *source;
	int status = source_file(&source, path, error);

	if (status == 0)
		status = source_read_all(out, source, error);
	source_close(source);
	return status;
}

static int add_authority(struct tls_files *files, const char *path, struct mkrootfs_error *error)
{
	size_t start = files->authorities.len;
	int status = read_file(&files->authorities, path, error);

	if (status == 0)
		status = buf_append(&files->authorities, "\n", 1, error);
	if (status < 0) {
		error_prefix(error, "authorities: ");
		return status == MKROOTFS_ERROR_NO_MEMORY ? status : invalid(error);
	}
	if (strstr((const char *)files->authorities.data + start, "-----BEGIN CERTIFICATE-----") ||
	    strstr((const char *)files->authorities.data + start, "-----BEGIN TRUSTED CERTIFICATE"))
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "authorities: '%s' holds no PEM certificate", path);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len > end_len && !strcmp(text + len - end_len, end);
}

/* "FOLDER/NAME" with the last strlen(old) bytes of NAME replaced; NULL without memory. */
static char *sibling(const char *folder, const char *name, const char *old, const char *new)
{
	struct buf path = BUF_INIT(8192);
	struct mkrootfs_error ignored;

	if (buf_printf(&path, &ignored, "%s/%.*s%s", folder, (int)(strlen(name) - strlen(old)),
		       name, new) < 0)
		buf_free(&path);
	return (char *)path.data;
}

/* name ends with suffix; the file beside it that ends with other must be there too. */
static int take_pair(struct tls_files *files, const char *folder, const char *name,
		     const char *suffix, const char *other, struct mkrootfs_error *error)
{
	char *own = sibling(folder, name, suffix, suffix);
	char *pair = sibling(folder, name, suffix, other);
	int status = own && pair ? 0 : error_no_memory(error);

	if (status == 0 && access(pair, R_OK) < 0)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "'%s' needs '%s' beside it, which cannot be read: %s", own, pair,
				   strerror(errno));
	if (status == 0 && !strcmp(suffix, ".cert") && !files->certificate) {
		files->certificate = own;
		files->key = pair;
		return 0;
	}
	free(own);
	free(pair);
	return status;
}

static int take_name(struct tls_files *files, const char *folder, const char *name,
		     struct mkrootfs_error *error)
{
	char *path;
	int status;

	if (ends_with(name, ".cert"))
		return take_pair(files, folder, name, ".cert", ".key", error);
	if (ends_with(name, ".key"))
		return take_pair(files, folder, name, ".key", ".cert", error);
	if (!ends_with(name, ".crt"))
		return 0;
	path = sibling(folder, name, "", "");
	if (!path)
		return error_no_memory(error);
	status = add_authority(files, path, error);
	free(path);
	return status;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int load_folder(struct tls_files *files, const char *folder, struct mkrootfs_error *error)
{
	struct dirent **names;
	int count = scandir(folder, &names, NULL, by_name), status = 0;

	if (count < 0) {
		error_set_errno(error, errno, "the folder of certificates '%s'", folder);
		return error->status == MKROOTFS_ERROR_NO_MEMORY ? error->status : invalid(error);
	}
	if (count > NAMES_MAX)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "the folder of certificates '%s' holds more than %d files",
				   folder, NAMES_MAX);
	for (int i = 0; i < count; i++) {
		if (status == 0)
			status = take_name(files, folder, names[i]->d_name, error);
		free(names[i]);
	}
	free(names);
	return status;
}

int tls_files_load(struct tls_files *files, const char *ca_cert, const char *cert_dir,
		   struct mkrootfs_error *error)
{
	int status = 0;

	memset(files, 0, sizeof(*files));
	files->authorities = BUF_INIT(TLS_FILES_MAX_SIZE);
	if (ca_cert)
		status = add_authority(files, ca_cert, error);
	if (status == 0 && cert_dir)
		status = load_folder(files, cert_dir, error);
	return status;
}

void tls_files_free(struct tls_files *files)
{
	buf_free(&files->authorities);
	free(files->certificate);
	free(files->key);
	memset(files, 0, sizeof(*files));
}
