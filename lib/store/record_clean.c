/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "folder.h"
#include "record_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct clean_walk {
	const struct store *store;
	const struct record_cleaning *cleaning;
};

static bool is_stale(const struct clean_walk *walk, const char *path)
{
	struct mkrootfs_error ignored;
	struct digest manifest;
	char *reference;
	int status = record_file_read(&reference, &manifest, path, &ignored);

	free(reference);
	return status != MKROOTFS_ERROR_NO_MEMORY &&
	       walk->cleaning->is_stale(walk->cleaning->user, status < 0 ? NULL : &manifest);
}

static int remove_stale(const struct clean_walk *walk, const char *path,
			struct mkrootfs_error *error)
{
	if (!is_stale(walk, path))
		return 0;
	if (unlink(path) < 0 && errno != ENOENT)
		return error_set_errno(error, errno, "remove '%s'", path);
	return walk->cleaning->removed(walk->cleaning->user, path)
		       ? error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled")
		       : 0;
}

/* The file's name is the digest that a writer of the record locks. */
static int clean_record(void *user, const char *file, struct mkrootfs_error *error)
{
	const struct clean_walk *walk = user;
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	char hex[DIGEST_TEXT_SIZE] = "";
	struct lock *lock = NULL;
	struct digest name;
	int status;

	if (*file == '.')
		return 0;
	strncat(hex, file, strcspn(file, ".") < sizeof(hex) ? strcspn(file, ".") : 0);
	status = buf_printf(&path, error, "%s/references/%s", store_path(walk->store), file);
	if (status == 0 && store_image_name_parse(&name, hex))
		status = record_file_lock(&lock, walk->store, &name, error);
	if (status == 0)
		status = remove_stale(walk, (char *)path.data, error);
	lock_release(lock);
	buf_free(&path);
	return status;
}

int record_clean(const struct store *store, const struct record_cleaning *cleaning,
		 struct mkrootfs_error *error)
{
	struct clean_walk walk = { store, cleaning };
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = buf_printf(&path, error, "%s/references", store_path(store));

	if (status == 0)
		status = folder_each((const char *)path.data, clean_record, &walk, error);
	buf_free(&path);
	return status;
}
