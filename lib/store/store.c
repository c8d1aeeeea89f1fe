/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct store {
	char *path;
	char *tmp;
	int tmp_fd; /* holds the shared lock while the store is open for writing; or -1 */
};

static const char *const folders[] = { "layers", "images", "references", "partial", "tmp" };

static int make_folders(const char *path, struct mkrootfs_error *error)
{
	struct buf sub = BUF_INIT(STORE_PATH_MAX);
	int status = folder_make(path, error);

	for (size_t i = 0; status == 0 && i < sizeof(folders) / sizeof(folders[0]); i++) {
		buf_clear(&sub);
		status = buf_printf(&sub, error, "%s/%s", path, folders[i]);
		if (status == 0)
			status = folder_make((const char *)sub.data, error);
	}
	buf_free(&sub);
	return status;
}

/* Filesystems without flock have no protection against a second writer's leftovers, no more. */
static void lock_tmp(const struct store *store)
{
	if (flock(store->tmp_fd, LOCK_EX | LOCK_NB) == 0)
		folder_empty(store->tmp);
	flock(store->tmp_fd, LOCK_SH);
}

static int open_tmp(struct store *store, struct mkrootfs_error *error)
{
	store->tmp_fd = open(store->tmp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->tmp_fd < 0)
		return error_set_errno(error, errno, "open '%s'", store->tmp);
	lock_tmp(store);
	return 0;
}

static int set_paths(struct store *store, const char *path, struct mkrootfs_error *error)
{
	struct buf tmp = BUF_INIT(STORE_PATH_MAX);
	int status;

	store->path = realpath(path, NULL);
	if (!store->path)
		return error_set_errno(error, errno, "store '%s'", path);
	status = buf_printf(&tmp, error, "%s/tmp", store->path);
	store->tmp = (char *)tmp.data;
	return status;
}

static int open_store(struct store *store, const char *path, enum store_mode mode,
		      struct mkrootfs_error *error)
{
	int status = mode == STORE_WRITE ? make_folders(path, error) : 0;

	if (status == 0)
		status = set_paths(store, path, error);
	if (status == 0 && mode == STORE_WRITE)
		status = open_tmp(store, error);
	return status;
}

int store_open(struct store **out, const char *path, enum store_mode mode,
	       struct mkrootfs_error *error)
{
	struct store *store = calloc(1, sizeof(*store));
	int status;

	*out = NULL;
	if (!store)
		return error_no_memory(error);
	store->tmp_fd = -1;
	status = open_store(store, path, mode, error);
	if (status < 0) {
		store_close(store);
		return status;
	}
	*out = store;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->tmp_fd >= 0)
		close(store->tmp_fd);
	free(store->path);
	free(store->tmp);
	free(store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}

const char *store_tmp(const struct store *store)
{
	return store->tmp;
}

int store_layer_path(struct buf *path, const struct store *store, const struct digest *diff_id,
		     struct mkrootfs_error *error)
{
	char hex[DIGEST_TEXT_SIZE];

	digest_format_hex(hex, diff_id);
	buf_clear(path);
	return buf_printf(path, error, "%s/layers/%s.erofs", store->path, hex);
}

int store_image_path(struct buf *path, const struct store *store, const struct digest *manifest,
		     struct mkrootfs_error *error)
{
	char hex[DIGEST_TEXT_SIZE];

	digest_format_hex(hex, manifest);
	buf_clear(path);
	return buf_printf(path, error, "%s/images/%s", store->path, hex);
}

bool store_image_name_parse(struct digest *manifest, const char *name)
{
	char text[DIGEST_TEXT_SIZE];
	struct mkrootfs_error ignored;

	if (strlen(name) != 2 * digest_size(DIGEST_SHA256))
		return false;
	snprintf(text, sizeof(text), "sha256:%s", name);
	return digest_parse(manifest, text, &ignored) == 0;
}

int store_lock_path(struct buf *path, const struct store *store, struct mkrootfs_error *error)
{
	buf_clear(path);
	return buf_printf(path, error, "%s/lock", store->path);
}
