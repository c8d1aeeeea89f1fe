/* SPDX-License-Identifier: Apache-2.0 */
#include "docker_saved_parts.h"

#include "../base/path.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64u /* components of a member's name */

int docker_saved_normal_name(struct buf *out, const char *text, struct mkrootfs_error *error)
{
	*out = BUF_INIT(strlen(text) + 1);
	if (path_normalise(out, text, strlen(text), MAX_DEPTH, error) < 0)
		return error_prefix(error, "'%.200s': ", text);
	return 0;
}

int docker_saved_open_tar(struct source **out, bool *compressed, uint64_t *size,
			  const struct docker_saved *saved, const char *name,
			  struct mkrootfs_error *error)
{
	enum compression found;
	struct source *file;

	*out = NULL;
	if (file_set_open(saved->files, &file, size, name, 0, error) < 0)
		return error->status;
	if (source_decompress(out, &found, file, error) < 0) {
		source_close(file);
		return error_prefix(error, "'%.200s': ", name);
	}
	*compressed = found != COMPRESSION_NONE;
	return 0;
}

/* Takes file. The manifest needs the size, and only reading all of it tells. */
static int measure(uint64_t *size, struct source *file, const struct source_unpacking *rule,
		   struct mkrootfs_error *error)
{
	struct source *tar;
	const uint8_t *data;
	size_t len;
	int status = source_unpack(&tar, file, rule, error);

	*size = 0;
	if (status < 0)
		return status;
	while ((status = source_next(tar, &data, &len, error)) == 0 && len > 0)
		*size += len;
	source_close(tar);
	return status;
}

static int measure_file(struct saved_layer *layer, const struct docker_saved *saved,
			const struct docker_archive_options *options, struct mkrootfs_error *error)
{
	struct source *file;
	int status = file_set_open(saved->files, &file, NULL, layer->name, 0, error);

	if (status == 0)
		status = measure(&layer->size, file, &options->unpacking, error);
	return status < 0 ? error_prefix(error, "'%.200s': ", layer->name) : 0;
}

static int load_layer(struct docker_saved *saved, size_t index,
		      const struct docker_archive_options *options, struct mkrootfs_error *error)
{
	struct saved_layer *layer = &saved->layers[index];
	struct source *tar = NULL;
	struct buf name;
	int status = docker_saved_normal_name(&name, jval_text(jval_at(saved->item.layers, index)),
					      error);

	layer->name = (char *)name.data;
	if (status == 0)
		status = docker_saved_open_tar(&tar, &layer->compressed, &layer->size, saved,
					       layer->name, error);
	source_close(tar);
	if (status == 0 && layer->compressed)
		status = measure_file(layer, saved, options, error);
	return status;
}

int docker_saved_load_layers(struct docker_saved *saved,
			     const struct docker_archive_options *options,
			     struct mkrootfs_error *error)
{
	size_t count = saved->config.diff_id_count;

	if (count > options->max_layers)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%zu layers are more than the limit of %u", count,
				 options->max_layers);
	saved->layers = calloc(count + 1, sizeof(*saved->layers));
	if (!saved->layers)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		if (load_layer(saved, i, options, error) < 0)
			return error_prefix(error, "layer %zu/%zu: ", i + 1, count);
	return 0;
}
