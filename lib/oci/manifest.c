/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest.h"

#include <stdlib.h>
#include <string.h>

/*
 * The type of the config decides: an artifactType beside an image's config only tells more about
 * an image.
 */
static int check_is_image(const struct manifest *manifest, const struct jval *root,
			  struct mkrootfs_error *error)
{
	const char *artifact = jval_text(jval_get(root, "artifactType"));

	if (media_type_is_image_config(manifest->config.media_type))
		return 0;
	if (!manifest->config.media_type[0])
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "the config has no mediaType");
	return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
			 "not a container image, but %.200s with a config of %s",
			 artifact ? artifact : "an artifact", manifest->config.media_type);
}

static bool is_encrypted(const char *type)
{
	static const char suffix[] = "+encrypted";
	size_t len = strlen(type);

	return len >= strlen(suffix) && !strcmp(type + len - strlen(suffix), suffix);
}

static int parse_layer(struct descriptor *out, const struct jval *value,
		       struct mkrootfs_error *error)
{
	if (descriptor_parse(out, value, error) < 0)
		return error->status;
	if (is_encrypted(out->media_type))
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "%s: encrypted layers are not supported", out->media_type);
	return 0;
}

static int parse_layers(struct manifest *out, const struct jval *layers, uint32_t max_layers,
			struct mkrootfs_error *error)
{
	size_t count = jval_count(layers);

	if (!jval_is_array(layers))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "layers is no array");
	if (count > max_layers)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%zu layers, the limit is %u (limits.layers)", count, max_layers);
	out->layers = calloc(count ? count : 1, sizeof(*out->layers));
	if (!out->layers)
		return error_no_memory(error);
	for (; out->layer_count < count; out->layer_count++)
		if (parse_layer(&out->layers[out->layer_count], jval_at(layers, out->layer_count),
				error) < 0)
			return error_prefix(error, "layer %zu: ", out->layer_count);
	return 0;
}

int manifest_parse(struct manifest *out, const struct jval *root, uint32_t max_layers,
		   struct mkrootfs_error *error)
{
	int status;

	memset(out, 0, sizeof(*out));
	status = descriptor_parse(&out->config, jval_get(root, "config"), error);
	if (status < 0)
		error_prefix(error, "config: ");
	if (status == 0)
		status = check_is_image(out, root, error);
	if (status == 0)
		status = parse_layers(out, jval_get(root, "layers"), max_layers, error);
	if (status < 0)
		manifest_free(out);
	return status;
}

void manifest_free(struct manifest *manifest)
{
	free(manifest->layers);
	memset(manifest, 0, sizeof(*manifest));
}
