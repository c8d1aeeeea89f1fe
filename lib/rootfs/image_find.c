/* SPDX-License-Identifier: Apache-2.0 */
#include "image_find.h"

#include "../store/folder.h"
#include "../store/record.h"
#include "image.h"
#include "name.h"

#include <string.h>

#define MIN_PREFIX 6 /* hex digits of a digest */

static int open_digest(struct mkrootfs_image **image, const struct store *store,
		       const struct digest *manifest, const char *reference,
		       struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = store_image_path(&path, store, manifest, error);

	*image = NULL;
	if (status == 0)
		status = image_open(image, (char *)path.data, manifest, reference, error);
	buf_free(&path);
	return status;
}

struct prefix_search {
	const char *prefix;
	size_t len;
	unsigned matches;
	struct digest digest;		     /* of the last match */
	char reference[REFERENCE_TEXT_SIZE]; /* of a record of it */
};

static int match_folder(void *user, const char *name, struct mkrootfs_error *error)
{
	struct prefix_search *search = user;

	(void)error;
	if (strncmp(name, search->prefix, search->len) == 0 &&
	    store_image_name_parse(&search->digest, name))
		search->matches++;
	return 0;
}

static int match_record(void *user, const char *reference, const struct digest *manifest,
			struct mkrootfs_error *error)
{
	struct prefix_search *search = user;

	(void)error;
	if (reference && digest_equal(manifest, &search->digest) &&
	    strlen(reference) < REFERENCE_TEXT_SIZE)
		strcpy(search->reference, reference);
	return 0;
}

static int find_prefix(struct prefix_search *search, const struct store *store, const char *name,
		       struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = buf_printf(&path, error, "%s/images", store_path(store));

	if (status == 0)
		status = folder_each((char *)path.data, match_folder, search, error);
	buf_free(&path);
	if (status == 0 && search->matches == 0)
		status = error_set(error, MKROOTFS_ERROR_NOT_FOUND, "'%s' is not in the store",
				   name);
	else if (status == 0 && search->matches > 1)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "'%s' is the beginning of %u images' digests", name,
				   search->matches);
	return status < 0 ? status : record_each(store, match_record, search, error);
}

static const char *digest_prefix(const char *name)
{
	const char *hex = strncmp(name, "sha256:", 7) == 0 ? name + 7 : name;
	size_t len = strlen(hex);

	return len >= MIN_PREFIX && strspn(hex, "0123456789abcdef") == len ? hex : NULL;
}

static int find_reference(struct digest *manifest, char *text, const struct store *store,
			  const char *name, struct mkrootfs_error *error)
{
	struct reference reference;
	int status = name_parse(&reference, name, error);

	if (status == 0)
		status = record_read(manifest, store, reference.text, error);
	if (status == 0)
		strcpy(text, reference.text);
	return status;
}

static int find_digest(struct digest *manifest, char *text, const struct store *store,
		       const char *name, const char *hex, struct mkrootfs_error *error)
{
	struct prefix_search search = { .prefix = hex, .len = strlen(hex) };
	int status = find_prefix(&search, store, name, error);

	*manifest = search.digest;
	strcpy(text, search.reference);
	return status;
}

/* As in docker, a name that is both means the reference. */
int image_name_resolve(struct digest *manifest, char reference[REFERENCE_TEXT_SIZE],
		       const struct store *store, const char *name, struct mkrootfs_error *error)
{
	const char *hex = digest_prefix(name);
	int status = MKROOTFS_ERROR_NOT_FOUND;

	if (strncmp(name, "sha256:", 7) != 0)
		status = find_reference(manifest, reference, store, name, error);
	if (hex && (status == MKROOTFS_ERROR_NOT_FOUND || status == MKROOTFS_ERROR_INVALID))
		status = find_digest(manifest, reference, store, name, hex, error);
	else if (status < 0 && strncmp(name, "sha256:", 7) == 0)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "'%s' is no digest, or less than %d digits of one", name,
				   MIN_PREFIX);
	return status;
}

static int open_named(struct mkrootfs_image **image, const struct store *store, const char *name,
		      struct mkrootfs_error *error)
{
	char reference[REFERENCE_TEXT_SIZE];
	struct digest manifest;
	int status = image_name_resolve(&manifest, reference, store, name, error);

	return status < 0 ? status : open_digest(image, store, &manifest, reference, error);
}

int image_find(struct mkrootfs_image **image, const char *path, const char *name,
	       struct mkrootfs_error *error)
{
	struct store *store;
	int status = store_open(&store, path, STORE_READ, error);

	*image = NULL;
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		return error_set(error, status, "'%s' is not in the store: there is no store '%s'",
				 name, path);
	if (status == 0)
		status = open_named(image, store, name, error);
	store_close(store);
	return status;
}
