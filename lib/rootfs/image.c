/* SPDX-License-Identifier: Apache-2.0 */
#include "image.h"

#include "../base/buf.h"
#include "image_check.h"
#include "image_documents.h"
#include "image_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_CAP 16384u

void image_layer_name(char name[DIGEST_TEXT_SIZE + 8], const struct digest *diff_id)
{
	digest_format_hex(name, diff_id);
	strcat(name, ".erofs");
}

static int join(char **out, const char *directory, const char *name, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(PATH_CAP);
	int status = buf_printf(&path, error, "%s/%s", directory, name);

	*out = (char *)path.data;
	return status;
}

static int describe_layer(struct mkrootfs_image *image, size_t index, struct mkrootfs_error *error)
{
	struct mkrootfs_image_layer *layer = &image->layers[index];
	const struct digest *diff_id = &image->config.diff_ids[index];
	char name[DIGEST_TEXT_SIZE + 8], *path, *text = malloc(DIGEST_TEXT_SIZE);
	struct stat st;
	int status;

	layer->diff_id = text;
	if (!text)
		return error_no_memory(error);
	digest_format(text, diff_id);
	image_layer_name(name, diff_id);
	status = join(&path, image->directory, name, error);
	layer->path = path;
	if (status == 0 && stat(path, &st) < 0)
		status = error_set(error, MKROOTFS_ERROR_MALFORMED, "%s is missing", name);
	if (status == 0)
		layer->size = (uint64_t)st.st_size;
	return status;
}

int image_describe_layers(struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	int status = 0;

	image->layers = calloc(image->config.diff_id_count + 1, sizeof(*image->layers));
	if (!image->layers)
		return error_no_memory(error);
	for (size_t i = 0; status == 0 && i < image->config.diff_id_count; i++)
		status = describe_layer(image, i, error);
	return status;
}

static void forget_layers(struct mkrootfs_image *image)
{
	for (size_t i = 0; image->layers && i < image->config.diff_id_count; i++) {
		free((char *)(uintptr_t)image->layers[i].diff_id);
		free((char *)(uintptr_t)image->layers[i].path);
	}
	free(image->layers);
	image->layers = NULL;
}

static int set_names(struct mkrootfs_image *image, const char *directory, const char *reference,
		     struct mkrootfs_error *error)
{
	int status = join(&image->disk, directory, IMAGE_DISK, error);

	if (status == 0)
		status = join(&image->fsmeta, directory, IMAGE_FSMETA, error);
	image->directory = strdup(directory);
	image->reference = strdup(reference);
	return image->directory && image->reference ? status : error_no_memory(error);
}

static int load(struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	struct stat st;
	int status;

	if (stat(image->directory, &st) < 0)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no '%s'",
				 image->directory);
	status = image_read_documents(image, error);
	if (status == 0)
		status = image_describe_layers(image, error);
	if (status == 0)
		status = image_check(image, error);
	if (status == 0)
		return 0;
	/* A file that is missing in the folder is damage, not a missing image. */
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		error->status = MKROOTFS_ERROR_MALFORMED;
	return error_prefix(error, "image folder '%s': ", image->directory);
}

int image_new(struct mkrootfs_image **out, const char *directory, const struct digest *manifest,
	      const char *reference, struct mkrootfs_error *error)
{
	struct mkrootfs_image *image = calloc(1, sizeof(*image));
	int status;

	*out = NULL;
	if (!image)
		return error_no_memory(error);
	image->manifest_digest = *manifest;
	digest_format(image->digest, manifest);
	status = set_names(image, directory, reference, error);
	if (status < 0)
		image_free(image);
	else
		*out = image;
	return status;
}

static int finish(struct mkrootfs_image **image, int status)
{
	if (status < 0) {
		image_free(*image);
		*image = NULL;
	}
	return status;
}

int image_open(struct mkrootfs_image **out, const char *directory, const struct digest *manifest,
	       const char *reference, struct mkrootfs_error *error)
{
	int status = image_new(out, directory, manifest, reference, error);

	return status < 0 ? status : finish(out, load(*out, error));
}

/* What was read of a damaged image may not fit together: its layers and config are not shown. */
static int keep_problem(struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	forget_layers(image);
	config_free(&image->config);
	image->config.run.user = image->config.run.working_dir = image->config.run.stop_signal = "";
	image->problem = strdup(error->message);
	return image->problem ? 0 : error_no_memory(error);
}

int image_open_any(struct mkrootfs_image **out, const char *directory,
		   const struct digest *manifest, const char *reference,
		   struct mkrootfs_error *error)
{
	int status = image_new(out, directory, manifest, reference, error);

	if (status < 0)
		return status;
	status = load(*out, error);
	if (status < 0 && status != MKROOTFS_ERROR_NO_MEMORY)
		status = keep_problem(*out, error);
	return finish(out, status);
}

int image_of_problem(struct mkrootfs_image **out, struct mkrootfs_error *error)
{
	const struct digest none = { .algorithm = DIGEST_SHA256 };
	struct mkrootfs_error problem = *error;
	int status = image_new(out, "", &none, "", error);

	if (status < 0)
		return status;
	*(*out)->digest = *(*out)->disk = *(*out)->fsmeta = '\0';
	return finish(out, keep_problem(*out, &problem));
}

int image_update_json(struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	free(image->json);
	return image_json(&image->json, image, error);
}

void image_free(struct mkrootfs_image *image)
{
	if (!image)
		return;
	forget_layers(image);
	config_free(&image->config);
	free(image->reference);
	free(image->directory);
	free(image->disk);
	free(image->fsmeta);
	free(image->json);
	free(image->problem);
	free(image);
}
