/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "../base/jval.h"
#include "../io/image_file.h"
#include "../io/source.h"
#include "folder.h"
#include "lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX 65536u /* bytes */

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

static int format_record(char **text, const char *reference, const struct digest *manifest,
			 struct mkrootfs_error *error)
{
	struct jval *root = jval_new_object();
	char digest[DIGEST_TEXT_SIZE];
	int status;

	digest_format(digest, manifest);
	jval_set(root, "reference", jval_new_text(reference));
	jval_set(root, "digest", jval_new_text(digest));
	status = jval_dump(text, root, error);
	jval_free(root);
	return status;
}

static int write_file(const struct store *store, const char *path, const char *text,
		      struct mkrootfs_error *error)
{
	struct image_file *file;
	int status = image_file_create(&file, store_tmp(store), error);

	if (status == 0)
		status = image_file_write(file, 0, text, strlen(text), error);
	if (status == 0)
		status = image_file_commit(file, path, IMAGE_FILE_REPLACE, error);
	image_file_close(file);
	return status;
}

/* Who replaces a record and who removes it exclude each other. */
static int lock_record(struct lock **lock, const struct store *store, const struct digest *name,
		       struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = store_lock_path(&path, store, error);

	*lock = NULL;
	if (status == 0)
		status = lock_take(lock, (char *)path.data, name, NULL, NULL, error);
	buf_free(&path);
	return status;
}

static int replace_record(const struct store *store, const char *reference,
			  const struct digest *manifest, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	struct digest name;
	char *text = NULL;
	int status = record_path(&path, store, reference, error);

	if (status == 0)
		status = format_record(&text, reference, manifest, error);
	if (status == 0)
		status = digest_of(&name, DIGEST_SHA256, reference, strlen(reference), error);
	if (status == 0)
		status = lock_record(&lock, store, &name, error);
	if (status == 0)
		status = write_file(store, (const char *)path.data, text, error);
	lock_release(lock);
	free(text);
	buf_free(&path);
	return status < 0 ? error_prefix(error, "record of '%s': ", reference) : 0;
}

static int parse_record(char **reference, struct digest *manifest, const struct buf *bytes,
			struct mkrootfs_error *error)
{
	struct jval *root;
	const char *name, *digest;
	int status = jval_parse(&root, bytes->data, bytes->len, error);

	*reference = NULL;
	if (status < 0)
		return status;
	name = jval_text(jval_get(root, "reference"));
	digest = jval_text(jval_get(root, "digest"));
	if (name && digest)
		status = digest_parse(manifest, digest, error);
	else
		status =
			error_set(error, MKROOTFS_ERROR_MALFORMED, "no reference and digest in it");
	if (status == 0) {
		*reference = strdup(name);
		status = *reference ? 0 : error_no_memory(error);
	}
	jval_free(root);
	return status;
}

/* A flipped bit in a reference would otherwise make it another image's name. */
static int check_name(const char *path, const char *reference, struct mkrootfs_error *error)
{
	char hex[DIGEST_TEXT_SIZE];
	struct digest digest;
	int status = digest_of(&digest, DIGEST_SHA256, reference, strlen(reference), error);

	if (status < 0)
		return status;
	digest_format_hex(hex, &digest);
	if (strncmp(strrchr(path, '/') + 1, hex, strlen(hex)) == 0)
		return 0;
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "the file is not named by the digest of its reference '%s'", reference);
}

static int read_record(char **reference, struct digest *manifest, const char *path,
		       struct mkrootfs_error *error)
{
	struct buf bytes = BUF_INIT(RECORD_MAX);
	struct source *source;
	int status = source_file(&source, path, error);

	*reference = NULL;
	if (status == 0)
		status = source_read_all(&bytes, source, error);
	source_close(source);
	if (status == 0)
		status = parse_record(reference, manifest, &bytes, error);
	if (status == 0)
		status = check_name(path, *reference, error);
	if (status < 0) {
		free(*reference);
		*reference = NULL;
	}
	buf_free(&bytes);
	return status < 0 ? error_prefix(error, "record '%s': ", path) : 0;
}

int record_read(struct digest *manifest, const struct store *store, const char *reference,
		struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	char *name = NULL;
	int status = record_path(&path, store, reference, error);

	if (status == 0)
		status = read_record(&name, manifest, (const char *)path.data, error);
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
		status = read_record(&reference, &manifest, (const char *)path.data, error);
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

/* ---- Cleaning ---- */

struct clean_walk {
	const struct store *store;
	const struct record_cleaning *cleaning;
};

static bool is_stale(const struct clean_walk *walk, const char *path)
{
	struct mkrootfs_error ignored;
	struct digest manifest;
	char *reference;
	int status = read_record(&reference, &manifest, path, &ignored);

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
		status = lock_record(&lock, walk->store, &name, error);
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
