/* SPDX-License-Identifier: Apache-2.0 */
/* Images of a store. */
#include "api.h"

#include "rootfs/image.h"
#include "rootfs/image_find.h"
#include "rootfs/image_list.h"

const char *mkrootfs_image_reference(const struct mkrootfs_image *image)
{
	return image->reference;
}

const char *mkrootfs_image_digest(const struct mkrootfs_image *image)
{
	return image->digest;
}

const char *mkrootfs_image_platform(const struct mkrootfs_image *image)
{
	return image->platform;
}

const char *mkrootfs_image_directory(const struct mkrootfs_image *image)
{
	return image->directory;
}

const char *mkrootfs_image_disk(const struct mkrootfs_image *image)
{
	return image->disk;
}

const char *mkrootfs_image_fsmeta(const struct mkrootfs_image *image)
{
	return image->fsmeta;
}

uint64_t mkrootfs_image_disk_size(const struct mkrootfs_image *image)
{
	return image->disk_size;
}

size_t mkrootfs_image_layer_count(const struct mkrootfs_image *image)
{
	return image->config.diff_id_count;
}

const struct mkrootfs_image_layer *mkrootfs_image_layer(const struct mkrootfs_image *image,
							size_t index)
{
	return index < image->config.diff_id_count ? &image->layers[index] : NULL;
}

const struct mkrootfs_image_config *mkrootfs_image_config(const struct mkrootfs_image *image)
{
	return &image->config.run;
}

const char *mkrootfs_image_json(const struct mkrootfs_image *image)
{
	return image->json;
}

const char *mkrootfs_image_problem(const struct mkrootfs_image *image)
{
	return image->problem;
}

void mkrootfs_image_free(struct mkrootfs_image *image)
{
	image_free(image);
}

int mkrootfs_image_open(struct mkrootfs_image **image, const char *store, const char *name,
			struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*image = NULL;
	if (!store || !name)
		return missing(error, store ? "the image's name" : "the store's folder");
	status = image_find(image, store, name, error);
	if (status == 0)
		status = image_update_json(*image, error);
	if (status < 0) {
		image_free(*image);
		*image = NULL;
	}
	return done(status, error);
}

int mkrootfs_image_list(struct mkrootfs_image_list **list, const char *store,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*list = NULL;
	if (!store)
		return missing(error, "the store's folder");
	return done(image_list(list, store, error), error);
}

void mkrootfs_image_list_free(struct mkrootfs_image_list *list)
{
	image_list_free(list);
}
