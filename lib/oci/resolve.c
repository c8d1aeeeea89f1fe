/* SPDX-License-Identifier: Apache-2.0 */
#include "resolve.h"

#include "fetch.h"
#include "select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Puts the chosen manifest in the place of an index. */
static int follow_index(struct resolved_image *image, struct document *document,
			struct platform *chosen, struct fetcher *fetcher,
			const struct resolve_options *options, struct mkrootfs_error *error)
{
	struct document manifest;

	if (document->kind != DOCUMENT_INDEX)
		return 0;
	image->has_index = true;
	image->index_digest = document->digest;
	if (select_manifest(&manifest, chosen, fetcher, document, &options->platform, error) < 0)
		return error->status;
	document_free(document);
	*document = manifest;
	return 0;
}

static int load_manifest(struct resolved_image *image, struct document *document,
			 const struct resolve_options *options, struct mkrootfs_error *error)
{
	if (manifest_parse(&image->manifest, document->root, options->max_layers, error) < 0)
		return error_prefix(error, "manifest: ");
	image->manifest_digest = document->digest;
	image->manifest_bytes = document->bytes;
	document->bytes = BUF_INIT(0);
	return 0;
}

static int load_config(struct resolved_image *image, struct fetcher *fetcher,
		       struct mkrootfs_error *error)
{
	image->config_bytes = BUF_INIT(CONFIG_MAX_SIZE);
	if (fetch_blob(fetcher, &image->config_bytes, &image->manifest.config, "config", error) < 0)
		return error->status;
	if (config_parse(&image->config, image->config_bytes.data, image->config_bytes.len,
			 image->manifest.layer_count, error) < 0)
		return error_prefix(error, "config: ");
	return 0;
}

static bool is_known(const struct platform *platform)
{
	return platform->os[0] && platform->architecture[0];
}

/* The index said one thing, the config another: docker runs such images, and so do we. */
static void compare_with_index(struct resolved_image *image, const struct platform *chosen)
{
	const struct platform *own = &image->config.platform;
	char config[PLATFORM_TEXT_SIZE];

	if (!is_known(own) ||
	    (!strcmp(own->os, chosen->os) && !strcmp(own->architecture, chosen->architecture)))
		return;
	platform_format(config, own);
	snprintf(image->warning, sizeof(image->warning),
		 "the index lists the image for %s, but its config says %s", image->platform,
		 config);
}

static int compare_with_wanted(struct resolved_image *image, const struct resolve_options *options,
			       struct mkrootfs_error *error)
{
	const struct platform *own = &image->config.platform;
	char wanted[PLATFORM_TEXT_SIZE];

	platform_format(wanted, &options->platform);
	if (platform_rank(own, &options->platform) > 0)
		return 0;
	if (is_known(own) && !options->platform_is_default) {
		error_set(error, MKROOTFS_ERROR_PLATFORM, "no image for platform %s; there is: %s",
			  wanted, image->platform);
		return error_advise(error, "--platform %s takes it as it is", image->platform);
	}
	snprintf(image->warning, sizeof(image->warning), "the image is for %s, not for %s",
		 is_known(own) ? image->platform : "a platform that its config does not name",
		 wanted);
	return 0;
}

static int check_platform(struct resolved_image *image, const struct platform *chosen,
			  const struct resolve_options *options, struct mkrootfs_error *error)
{
	platform_format(image->platform, image->has_index ? chosen : &image->config.platform);
	if (!image->has_index)
		return compare_with_wanted(image, options, error);
	compare_with_index(image, chosen);
	return 0;
}

static int resolve(struct resolved_image *image, struct fetcher *fetcher,
		   struct transport_document *raw, const struct reference *reference,
		   const struct resolve_options *options, struct mkrootfs_error *error)
{
	const struct digest *expected = reference->has_digest ? &reference->digest : NULL;
	struct platform chosen = { .os = "" };
	struct document document;
	int status = fetch_load_first(&document, raw, expected, error);

	if (status == 0)
		status = follow_index(image, &document, &chosen, fetcher, options, error);
	if (status == 0)
		status = load_manifest(image, &document, options, error);
	if (status == 0)
		status = load_config(image, fetcher, error);
	if (status == 0)
		status = check_platform(image, &chosen, options, error);
	document_free(&document);
	return status < 0 ? error_prefix(error, "image %.400s: ", reference->text) : 0;
}

int resolve_image(struct resolved_image **out, struct transport *transport,
		  const struct reference *reference, const struct resolve_options *options,
		  struct mkrootfs_error *error)
{
	struct resolved_image *image = calloc(1, sizeof(*image));
	struct fetcher fetcher = { .transport = transport };
	struct transport_document raw;

	*out = NULL;
	if (!image)
		return error_no_memory(error);
	strcpy(image->reference, reference->text);
	if (fetch_first(&fetcher, &raw, error) < 0 ||
	    resolve(image, &fetcher, &raw, reference, options, error) < 0) {
		resolved_image_free(image);
		return error->status;
	}
	*out = image;
	return 0;
}

void resolved_image_free(struct resolved_image *image)
{
	if (!image)
		return;
	buf_free(&image->manifest_bytes);
	buf_free(&image->config_bytes);
	manifest_free(&image->manifest);
	config_free(&image->config);
	free(image);
}
