/* SPDX-License-Identifier: Apache-2.0 */
#include "image_list.h"

#include "../base/array.h"
#include "../store/folder.h"
#include "../store/record.h"
#include "image.h"

#include <stdlib.h>
#include <string.h>

struct listing {
	const struct store *store;
	struct mkrootfs_image_list *list;
	size_t room;
};

/* Takes the image. */
static int append(struct listing *l, struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	int status = image_update_json(image, error);

	if (status == 0)
		status = array_reserve(&l->list->images, &l->room, l->list->count,
				       sizeof(*l->list->images), error);
	if (status < 0) {
		image_free(image);
		return status;
	}
	l->list->images[l->list->count++] = image;
	return 0;
}

/* Adds an image, also a damaged one; a record whose folder is gone stands for nothing. */
static int add(struct listing *l, const struct digest *manifest, const char *reference,
	       struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct mkrootfs_image *image;
	int status = store_image_path(&path, l->store, manifest, error);

	if (status == 0)
		status = image_open_any(&image, (char *)path.data, manifest, reference, error);
	buf_free(&path);
	return status < 0 ? status : append(l, image, error);
}

static int list_record(void *user, const char *reference, const struct digest *manifest,
		       struct mkrootfs_error *error)
{
	struct listing *l = user;
	struct mkrootfs_image *image;
	int status;

	if (reference)
		return add(l, manifest, reference, error);
	status = image_of_problem(&image, error);
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
	struct listing *l = user;
	struct digest manifest;

	if (!store_image_name_parse(&manifest, name) || is_listed(l, &manifest))
		return 0;
	return add(l, &manifest, "", error);
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

int image_list(struct mkrootfs_image_list **list, const char *path, struct mkrootfs_error *error)
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
		image_list_free(l.list);
	else
		*list = l.list;
	return status;
}

void image_list_free(struct mkrootfs_image_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		image_free(list->images[i]);
	free(list->images);
	free(list);
}
