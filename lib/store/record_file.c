/* SPDX-License-Identifier: Apache-2.0 */
#include "record_file.h"

#include "../base/jval.h"
#include "../io/image_file.h"
#include "../io/source.h"

#include <stdlib.h>
#include <string.h>

#define RECORD_MAX 65536u /* bytes */

int record_file_lock(struct lock **lock, const struct store *store, const struct digest *name,
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

int record_file_write(const struct store *store, const char *path, const char *reference,
		      const struct digest *manifest, struct mkrootfs_error *error)
{
	struct image_file *file = NULL;
	char *text = NULL;
	int status = format_record(&text, reference, manifest, error);

	if (status == 0)
		status = image_file_create(&file, store_tmp(store), error);

	if (status == 0)
		status = image_file_write(file, 0, text, strlen(text), error);
	if (status == 0)
		status = image_file_commit(file, path, IMAGE_FILE_REPLACE, error);
	image_file_close(file);
	free(text);
	return status;
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

int record_file_read(char **reference, struct digest *manifest, const char *path,
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
