/* SPDX-License-Identifier: Apache-2.0 */
#include "save_image.h"

#include "../io/image_sink.h"
#include "limits.h"
#include "name.h"
#include "open_transport.h"
#include "output.h"
#include "save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	const struct mkrootfs_image *image;
	const struct mkrootfs_save_options *options;
	struct events events;
	struct save_options save;
	char name[REFERENCE_TEXT_SIZE];
	char tag[REFERENCE_NAME_MAX + 1];
	struct reference source;
	struct store *store; /* where the source's archive was spooled to */
	struct transport *transport;
	struct resolved_image *resolved;
};

/* ---- Names ---- */

/* A digest is no name that an archive could give: the tag before it is. */
static void take_name(struct request *r, const struct reference *reference)
{
	bool image = reference->kind == REFERENCE_REGISTRY;

	if (!reference->tag[0] || reference->kind == REFERENCE_DOCKER_ARCHIVE)
		return;
	strcpy(r->tag, reference->tag);
	r->save.tag = r->tag;
	if (image) {
		snprintf(r->name, sizeof(r->name), "%s/%s:%s", reference->registry,
			 reference->repository, reference->tag);
		r->save.name = r->name;
	}
}

static int choose_name(struct request *r, struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;
	struct reference reference;

	if (r->options->name) {
		if (name_parse_given(&reference, r->options->name, error) < 0)
			return error->status;
		take_name(r, &reference);
	} else if (r->image->reference[0] &&
		   reference_parse(&reference, r->image->reference, &ignored) == 0) {
		take_name(r, &reference);
	}
	return 0;
}

/* ---- The source ---- */

/* The store that the image's folder is in: STORE/images/DIGEST. */
static char *store_of(const struct mkrootfs_image *image)
{
	char *path = strdup(image->directory);

	for (int i = 0; path && i < 2; i++) {
		char *slash = strrchr(path, '/');

		if (slash)
			*slash = '\0';
	}
	return path;
}

static int open_place(struct request *r, const char *store_path, struct mkrootfs_error *error)
{
	const struct mkrootfs_limits none = { 0 }, limits = limits_or_defaults(&none);
	struct opening opening = { .reference = &r->source,
				   .platform = &r->image->config.platform,
				   .limits = &limits,
				   .events = &r->events,
				   .store_path = store_path,
				   .store = &r->store };

	return open_transport(&r->transport, &opening, error);
}

static int resolve_source(struct request *r, struct mkrootfs_error *error)
{
	const struct resolve_options options = { .platform = r->image->config.platform,
						 .platform_is_default = true,
						 .max_layers = UINT32_MAX };

	return resolve_image(&r->resolved, r->transport, &r->source, &options, error);
}

static int compare_source(struct request *r, struct mkrootfs_error *error)
{
	char digest[DIGEST_TEXT_SIZE];

	if (digest_equal(&r->resolved->manifest_digest, &r->image->manifest_digest))
		return 0;
	digest_format(digest, &r->resolved->manifest_digest);
	return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
			 "the source '%.300s' has another image: %s, not %s", r->source.text,
			 digest, r->image->digest);
}

static int open_source(struct request *r, struct mkrootfs_error *error)
{
	char *store_path;
	int status = name_parse(&r->source, r->options->source, error);

	if (status < 0)
		return status;
	if (r->source.kind == REFERENCE_REGISTRY || r->source.kind == REFERENCE_TAR)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the source '%.300s' must be a layout, an archive or a folder of "
				 "images",
				 r->options->source);
	store_path = store_of(r->image);
	if (!store_path)
		return error_no_memory(error);
	status = open_place(r, store_path, error);
	free(store_path);
	if (status == 0)
		status = resolve_source(r, error);
	if (status == 0)
		status = compare_source(r, error);
	r->save.source = r->transport;
	r->save.resolved = r->resolved;
	return status;
}

/* ---- Both together ---- */

int save_image(struct sink *out, const struct mkrootfs_image *image,
	       const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	struct request r = { .image = image,
			     .options = options,
			     .events = { .fn = options->events, .user = options->events_user } };
	int status = choose_name(&r, error);

	r.save.events = &r.events;
	r.save.with_docker_list = options->format == MKROOTFS_SAVE_DOCKER_ARCHIVE;
	if (status == 0 && options->source)
		status = open_source(&r, error);
	if (status == 0)
		status = save(out, image, &r.save, error);
	resolved_image_free(r.resolved);
	transport_close(r.transport);
	store_close(r.store);
	return status;
}

struct job {
	const struct mkrootfs_image *image;
	const struct mkrootfs_save_options *options;
};

static int fill(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	const struct job *job = user;
	struct image_sink out;

	image_sink(&out, file);
	return save_image(&out.sink, job->image, job->options, error);
}

int save_image_file(const char *path, const struct mkrootfs_image *image,
		    const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	struct job job = { image, options };

	return output_write(path, options->replace, fill, &job, error);
}
