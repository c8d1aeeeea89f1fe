/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions: check arguments, delegate. */
#include <mkrootfs.h>

#include "base/digest.h"
#include "base/error.h"
#include "io/image_file.h"
#include "rootfs/image.h"
#include "rootfs/image_find.h"
#include "rootfs/image_list.h"
#include "rootfs/pull.h"
#include "rootfs/steps.h"
#include "rootfs/upper.h"

const char *mkrootfs_version(void)
{
	return MKROOTFS_VERSION;
}

const char *mkrootfs_status_name(int status)
{
	static const char *const names[] = {
		"ok",		"invalid argument", "system error",  "no space", "malformed input",
		"wrong digest", "not found",	    "network error", "denied",	 "limit exceeded",
		"unsupported",	"cancelled",	    "out of memory",
	};
	const int count = sizeof(names) / sizeof(names[0]);

	return status <= 0 && status > -count ? names[-status] : "unknown status";
}

/* Where a caller passes no error, this one takes its place. */
#define OR_LOCAL(error_) ((error_) ? (error_) : &(struct mkrootfs_error){ 0 })

static int missing(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_INVALID, "%s is missing", what);
}

/* ---- Images ---- */

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

int mkrootfs_pull(struct mkrootfs_image **image, const struct mkrootfs_pull_options *options,
		  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*image = NULL;
	if (!options || !options->reference)
		return missing(error, "the reference");
	if (!options->store)
		return missing(error, "the store's folder");
	return pull(image, options, error);
}

int mkrootfs_image_open(struct mkrootfs_image **image, const char *store, const char *name,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*image = NULL;
	if (!store || !name)
		return missing(error, store ? "the image's name" : "the store's folder");
	return image_find(image, store, name, error);
}

int mkrootfs_image_list(struct mkrootfs_image_list **list, const char *store,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*list = NULL;
	return store ? image_list(list, store, error) : missing(error, "the store's folder");
}

void mkrootfs_image_list_free(struct mkrootfs_image_list *list)
{
	image_list_free(list);
}

/* ---- The writable side ---- */

int mkrootfs_upper(const char *path, const struct mkrootfs_upper_options *options,
		   struct mkrootfs_error *error)
{
	static const struct mkrootfs_upper_options defaults;

	error = OR_LOCAL(error);
	return path ? upper_make(path, options ? options : &defaults, error)
		    : missing(error, "the path");
}

int mkrootfs_upper_fd(int fd, const struct mkrootfs_upper_options *options,
		      struct mkrootfs_error *error)
{
	static const struct mkrootfs_upper_options defaults;

	return upper_make_fd(fd, options ? options : &defaults, OR_LOCAL(error));
}

/* ---- Single steps ---- */

int mkrootfs_layer_convert(const char *path, char diff_id[MKROOTFS_DIGEST_SIZE],
			   mkrootfs_read_fn read, void *user,
			   const struct mkrootfs_layer_options *options,
			   struct mkrootfs_error *error)
{
	static const struct mkrootfs_layer_options defaults;

	error = OR_LOCAL(error);
	if (diff_id)
		*diff_id = '\0';
	if (!path || !read)
		return missing(error, path ? "the read function" : "the path");
	return step_layer(path, diff_id, read, user, options ? options : &defaults, error);
}

int mkrootfs_fsmeta_merge(const char *path, const char *const *layers, size_t layer_count,
			  const struct mkrootfs_merge_options *options,
			  struct mkrootfs_error *error)
{
	static const struct mkrootfs_merge_options defaults;

	error = OR_LOCAL(error);
	if (!path || (!layers && layer_count > 0))
		return missing(error, path ? "the list of layers" : "the path");
	return step_fsmeta(path, layers, layer_count, options ? options : &defaults, error);
}

int mkrootfs_disk_describe(const char *path, const char *const *files, size_t file_count,
			   int replace, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!path || !files)
		return missing(error, path ? "the list of files" : "the path");
	return step_disk(path, files, file_count, replace, error);
}
