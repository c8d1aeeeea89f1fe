/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "folder.h"
#include "record_file.h"

#include <stdlib.h>
#include <string.h>

/* References have characters that file names should not: the name is a digest of the reference. */
static int record_path(struct buf *path, const struct store *store, const char *reference,
		       struct mkrootfs_error *error)
{
	char hex[DIGEST_TEXT_SIZE];
	struct digest digest;
	int status = digest_of(&digest, DIGEST_SHA256, reference, strlen(reference), error);

	if (status < 0)
		return status;
	digest_format_hex(hex, &digest);
	buf_clear(path);
	return buf_printf(path, error, "%s/references/%s.json", store_path(store), hex);
}

static int replace_record(const struct store *store, const char *reference,
			  const struct digest *manifest, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	struct digest name;
	int status = record_path(&path, store, reference, error);

	if (status == 0)
		status = digest_of(&name, DIGEST_SHA256, reference, strlen(reference), error);
	if (status == 0)
		status = record_file_lock(&lock, store, &name, error);
	if (status == 0)
		status = record_file_write(store, (const char *)path.data, reference, manifest,
					   error);
	lock_release(lock);
	buf_free(&path);
	return status < 0 ? error_prefix(error, "record of '%s': ", reference) : 0;
}

int record_read(struct digest *manifest, const struct store *store, const char *reference,
		struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	char *name = NULL;
	int status = record_path(&path, store, reference, error);

	if (status == 0)
		status = record_file_read(&name, manifest, (const char *)path.data, error);
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		status = error_set(error, status, "'%s' is not in the store", reference);
	free(name);
	buf_free(&path);
	return status;
}

/* So that a pull of an unchanged image writes nothing, and works on a store that is read-only. */
static bool is_written(const struct store *store, const char *reference,
		       const struct digest *manifest)
{
	struct mkrootfs_error ignored;
	struct digest written;

	return record_read(&written, store, reference, &ignored) == 0 &&
	       digest_equal(&written, manifest);
}

int record_write(const struct store *store, const char *reference, const struct digest *manifest,
		 struct mkrootfs_error *error)
{
	if (is_written(store, reference, manifest))
		return 0;
	return replace_record(store, reference, manifest, error);
}

struct walk {
	const struct store *store;
	record_visit_fn visit;
	void *user;
};

static int visit_record(void *user, const char *file, struct mkrootfs_error *error)
{
	struct walk *walk = user;
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct digest manifest;
	char *reference = NULL;
	int status;

	/* A replacement under way, see io/temp_file.h. */
	if (*file == '.')
		return 0;
	status = buf_printf(&path, error, "%s/references/%s", store_path(walk->store), file);
	if (status == 0)
		status = record_file_read(&reference, &manifest, (const char *)path.data, error);
	if (status == 0)
		status = walk->visit(walk->user, reference, &manifest, error);
	else if (status != MKROOTFS_ERROR_NO_MEMORY)
		status = walk->visit(walk->user, NULL, NULL, error);
	free(reference);
	buf_free(&path);
	return status;
}

int record_each(const struct store *store, record_visit_fn visit, void *user,
		struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct walk walk = { store, visit, user };
	int status = buf_printf(&path, error, "%s/references", store_path(store));

	if (status == 0)
		status = folder_each((const char *)path.data, visit_record, &walk, error);
	buf_free(&path);
	return status;
}
