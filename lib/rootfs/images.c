/* SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include "../oci/reference.h"
#include "../store/folder.h"
#include "../store/record.h"
#include "../store/store.h"
#include "image.h"
#include "name.h"

#include <stdlib.h>
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
		status = image_open(image, (char *)path.data, reference, error);
	buf_free(&path);
	return status;
}

/* ---- By name ---- */

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
	char text[DIGEST_TEXT_SIZE];
	struct digest digest;

	if (strncmp(name, search->prefix, search->len) != 0 || strlen(name) != 64)
		return 0;
	memcpy(text, "sha256:", 7);
	strcpy(text + 7, name);
	if (digest_parse(&digest, text, error) < 0)
		return 0;
	search->matches++;
	search->digest = digest;
	return 0;
}

static int match_record(void *user, const char *reference, const struct digest *manifest,
			struct mkrootfs_error *error)
{
	struct prefix_search *search = user;

	(void)error;
	if (digest_equal(manifest, &search->digest) && strlen(reference) < REFERENCE_TEXT_SIZE)
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

static int open_by_reference(struct mkrootfs_image **image, const struct store *store,
			     const char *name, struct mkrootfs_error *error)
{
	struct digest manifest;
	struct reference reference;
	int status = name_parse(&reference, name, error);

	*image = NULL;
	if (status == 0)
		status = record_read(&manifest, store, reference.text, error);
	return status < 0 ? status : open_digest(image, store, &manifest, reference.text, error);
}

static int open_by_prefix(struct mkrootfs_image **image, const struct store *store,
			  const char *name, const char *hex, struct mkrootfs_error *error)
{
	struct prefix_search search = { .prefix = hex, .len = strlen(hex) };
	int status = find_prefix(&search, store, name, error);

	*image = NULL;
	if (status < 0)
		return status;
	return open_digest(image, store, &search.digest, search.reference, error);
}

/* As in docker, a name that is both means the reference. */
static int open_named(struct mkrootfs_image **image, const struct store *store, const char *name,
		      struct mkrootfs_error *error)
{
	const char *hex = digest_prefix(name);
	int status = MKROOTFS_ERROR_NOT_FOUND;

	if (strncmp(name, "sha256:", 7) != 0)
		status = open_by_reference(image, store, name, error);
	if (hex && (status == MKROOTFS_ERROR_NOT_FOUND || status == MKROOTFS_ERROR_INVALID))
		status = open_by_prefix(image, store, name, hex, error);
	else if (status < 0 && strncmp(name, "sha256:", 7) == 0)
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "'%s' is no digest, or less than %d digits of one", name,
				   MIN_PREFIX);
	return status;
}

int images_open(struct mkrootfs_image **image, const char *path, const char *name,
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

/* ---- All ---- */

struct listing {
	const struct store *store;
	struct mkrootfs_image_list *list;
	size_t room;
};

static int append(struct listing *l, struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	if (l->list->count == l->room) {
		size_t room = l->room ? 2 * l->room : 16;
		struct mkrootfs_image **images = realloc(l->list->images, room * sizeof(*images));

		if (!images) {
			image_free(image);
			return error_no_memory(error);
		}
		l->list->images = images;
		l->room = room;
	}
	l->list->images[l->list->count++] = image;
	return 0;
}

static int list_record(void *user, const char *reference, const struct digest *manifest,
		       struct mkrootfs_error *error)
{
	struct listing *l = user;
	struct mkrootfs_image *image;
	int status = open_digest(&image, l->store, manifest, reference, error);

	return status < 0 ? status : append(l, image, error);
}

static bool is_listed(const struct listing *l, const struct digest *manifest)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (digest_equal(&l->list->images[i]->manifest_digest, manifest))
			return true;
	return false;
}

/* Images whose reference came to mean another one. */
static int list_folder(void *user, const char *name, struct mkrootfs_error *error)
{
	struct prefix_search search = { .prefix = name, .len = strlen(name) };
	struct listing *l = user;
	struct mkrootfs_image *image;
	int status = match_folder(&search, name, error);

	if (status < 0 || search.matches == 0 || is_listed(l, &search.digest))
		return 0;
	status = open_digest(&image, l->store, &search.digest, "", error);
	return status < 0 ? status : append(l, image, error);
}

static int compare(const void *a, const void *b)
{
	const struct mkrootfs_image *left = *(struct mkrootfs_image *const *)a;
	const struct mkrootfs_image *right = *(struct mkrootfs_image *const *)b;

	return strcmp(left->reference, right->reference);
}

static int list_store(struct listing *l, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = record_each(l->store, list_record, l, error);
	size_t named = l->list->count;

	if (named > 1)
		qsort(l->list->images, named, sizeof(*l->list->images), compare);
	if (status == 0)
		status = buf_printf(&path, error, "%s/images", store_path(l->store));
	if (status == 0)
		status = folder_each((char *)path.data, list_folder, l, error);
	buf_free(&path);
	return status;
}

int images_list(struct mkrootfs_image_list **list, const char *path, struct mkrootfs_error *error)
{
	struct listing l = { .list = calloc(1, sizeof(**list)) };
	struct store *store = NULL;
	int status;

	*list = NULL;
	if (!l.list)
		return error_no_memory(error);
	status = store_open(&store, path, STORE_READ, error);
	l.store = store;
	if (status == 0)
		status = list_store(&l, error);
	else if (status == MKROOTFS_ERROR_NOT_FOUND)
		status = 0;
	store_close(store);
	if (status < 0)
		images_list_free(l.list);
	else
		*list = l.list;
	return status;
}

void images_list_free(struct mkrootfs_image_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		image_free(list->images[i]);
	free(list->images);
	free(list);
}
