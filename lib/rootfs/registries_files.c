/* SPDX-License-Identifier: Apache-2.0 */
#include "registries_files.h"

#include "../base/toml.h"
#include "../io/source.h"
#include "../store/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int read_file(struct registries_conf *conf, const char *path, struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(TOML_SIZE_MAX);
	struct source *source;
	int status = source_file(&source, path, error);

	if (status < 0)
		return status;
	status = source_read_all(&bytes, source, error);
	if (status == MKROOTFS_ERROR_LIMIT)
		error_prefix(error, "'%s': ", path);
	if (status == 0)
		status = registries_conf_add(conf, path, bytes.data ? bytes.data : (uint8_t *)"",
					     bytes.len, error);
	source_close(source);
	buf_free(&bytes);
	return status;
}

struct folder {
	struct registries_conf *conf;
	const char *path;
};

static int read_named(void *user, const char *name, struct mkrootfs_error *error)
{
	const struct folder *folder = user;
	struct buf path = BUF_INIT(8192);
	size_t len = strlen(name);
	struct stat st;
	int status;

	if (len < 5 || strcmp(name + len - 5, ".conf") != 0)
		return 0;
	status = buf_printf(&path, error, "%s/%s", folder->path, name);
	/* Folders inside are passed over, as containers-registries.conf.d(5) says. */
	if (status == 0 && !(stat((char *)path.data, &st) == 0 && S_ISDIR(st.st_mode)))
		status = read_file(folder->conf, (char *)path.data, error);
	buf_free(&path);
	return status;
}

/* /dev/null stands for an empty file, so that there is a way to have no configuration. */
static int read_path(struct registries_conf *conf, const char *path, struct mkrootfs_error *error)
{
	struct folder folder = { conf, path };
	struct stat st;

	if (!strcmp(path, "/dev/null"))
		return 0;
	if (stat(path, &st) < 0) {
		int status = error_set_errno(error, errno, "open '%s'", path);

		/* Not the image: what the caller says is wrong, as of certificates. */
		return status == MKROOTFS_ERROR_NOT_FOUND ? error->status = MKROOTFS_ERROR_INVALID
							  : status;
	}
	return S_ISDIR(st.st_mode) ? folder_each(path, read_named, &folder, error)
				   : read_file(conf, path, error);
}

int registries_files_read(struct registries_conf **out, const struct mkrootfs_string_list *paths,
			  struct mkrootfs_error *error)
{
	struct registries_conf *conf;
	int status = registries_conf_create(&conf, error);

	*out = NULL;
	for (size_t i = 0; status == 0 && i < paths->count; i++)
		status = read_path(conf, paths->items[i], error);
	if (status < 0)
		registries_conf_free(conf);
	else
		*out = conf;
	return status < 0 ? error_prefix(error, "configuration of registries: ") : 0;
}
