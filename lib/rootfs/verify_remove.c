/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taking out of a store what was found damaged. Under the locks that writers take, and only what is
 * still the file that was read: meanwhile a pull may have put a sound one in its place.
 *
 * Folders go before layers, records last: whenever the process ends, what is left is found again.
 */
#include "verify_store.h"

#include "../io/file_sync.h"
#include "../store/folder.h"
#include "../store/lock.h"
#include "../store/record.h"
#include "image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct removal {
	struct verify_run *run;
	const struct store *store;
	const struct verified_file *layer; /* in work */
};

static int lock_digest(struct lock **lock, struct removal *r, const struct digest *digest,
		       struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = store_lock_path(&path, r->store, error);

	*lock = NULL;
	if (status == 0)
		status = lock_take(lock, (char *)path.data, digest, events_wait, &r->run->events,
				   error);
	buf_free(&path);
	return status;
}

static bool is_still(const char *path, dev_t device, ino_t inode)
{
	struct stat st;

	return lstat(path, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

static int sync_parent(const char *path, struct mkrootfs_error *error)
{
	int fd = folder_open(path), status = 0;

	if (fd < 0 || folder_sync(fd) < 0)
		status = error_set_errno(error, errno, "sync the folder of '%s'", path);
	if (fd >= 0)
		close(fd);
	return status;
}

static int report(struct removal *r, const char *path, struct mkrootfs_error *error)
{
	r->run->result->removed++;
	return verify_run_report(r->run, MKROOTFS_EVENT_REMOVED, path, 0, error);
}

/* ---- Folders ---- */

/* It leaves its name in one step; what a crash leaves in tmp/, the next writer removes. */
static int remove_folder(struct removal *r, const char *path, struct mkrootfs_error *error)
{
	struct buf aside = BUF_INIT(STORE_PATH_MAX);
	int status = folder_make_temporary(&aside, store_tmp(r->store), error);

	if (status == 0 && rmdir((char *)aside.data) == 0 && rename(path, (char *)aside.data) < 0)
		status = error_set_errno(error, errno, "remove '%s'", path);
	if (status == 0)
		status = sync_parent(path, error);
	if (status == 0)
		folder_remove((char *)aside.data);
	buf_free(&aside);
	return status < 0 ? status : report(r, path, error);
}

static int remove_damaged_folder(struct removal *r, const struct damaged_folder *folder,
				 struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	int status = store_image_path(&path, r->store, &folder->manifest, error);

	if (status == 0)
		status = lock_digest(&lock, r, &folder->manifest, error);
	if (status == 0 && is_still((char *)path.data, folder->device, folder->inode))
		status = remove_folder(r, (char *)path.data, error);
	lock_release(lock);
	buf_free(&path);
	return status;
}

/* ---- Layers ---- */

/* An image folder that has the damaged layer, though it was not verified itself. */
static int remove_user(void *user, const char *name, struct mkrootfs_error *error)
{
	struct removal *r = user;
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	char layer[DIGEST_TEXT_SIZE + 8];
	struct damaged_folder folder = { 0 };
	struct stat st;
	int status;

	if (!store_image_name_parse(&folder.manifest, name))
		return 0;
	image_layer_name(layer, &r->layer->diff_id);
	status = buf_printf(&path, error, "%s/images/%s", store_path(r->store), name);
	if (status == 0 && lstat((char *)path.data, &st) == 0) {
		folder.device = st.st_dev;
		folder.inode = st.st_ino;
		status = buf_printf(&path, error, "/%s", layer);
		if (status == 0 && is_still((char *)path.data, r->layer->device, r->layer->inode))
			status = remove_damaged_folder(r, &folder, error);
	}
	buf_free(&path);
	return status;
}

static int remove_users(struct removal *r, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = buf_printf(&path, error, "%s/images", store_path(r->store));

	if (status == 0)
		status = folder_each((char *)path.data, remove_user, r, error);
	buf_free(&path);
	return status;
}

static int remove_layer(struct removal *r, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	int status = store_layer_path(&path, r->store, &r->layer->diff_id, error);

	if (status == 0)
		status = lock_digest(&lock, r, &r->layer->diff_id, error);
	if (status == 0 && is_still((char *)path.data, r->layer->device, r->layer->inode)) {
		if (unlink((char *)path.data) < 0)
			status = error_set_errno(error, errno, "remove '%s'", (char *)path.data);
		if (status == 0)
			status = sync_parent((char *)path.data, error);
		if (status == 0)
			status = report(r, (char *)path.data, error);
	}
	lock_release(lock);
	buf_free(&path);
	return status;
}

/* ---- Records ---- */

/* One that means an image that is not there, or cannot be read. */
static bool is_stale(void *user, const struct digest *manifest)
{
	struct removal *r = user;
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct mkrootfs_error ignored;
	bool stale = !manifest;

	if (manifest && store_image_path(&path, r->store, manifest, &ignored) == 0)
		stale = access((char *)path.data, F_OK) < 0 && errno == ENOENT;
	buf_free(&path);
	return stale;
}

static int on_removed(void *user, const char *path)
{
	struct mkrootfs_error ignored;

	return report(user, path, &ignored);
}

/* ---- All ---- */

int verify_remove(struct verify_run *run, const struct store *store, struct mkrootfs_error *error)
{
	struct removal r = { .run = run, .store = store };
	const struct record_cleaning cleaning = { is_stale, on_removed, &r };
	int status = 0;

	for (size_t i = 0; status == 0 && i < run->folder_count; i++)
		status = remove_damaged_folder(&r, &run->folders[i], error);
	for (size_t i = 0; status == 0 && i < run->file_count; i++) {
		r.layer = &run->files[i];
		if (!r.layer->damaged)
			continue;
		status = remove_users(&r, error);
		if (status == 0)
			status = remove_layer(&r, error);
	}
	return status < 0 ? status : record_clean(store, &cleaning, error);
}
