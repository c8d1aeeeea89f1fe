/* SPDX-License-Identifier: Apache-2.0 */
#include "image_json.h"

static struct jval *list_value(const struct mkrootfs_string_list *list)
{
	struct jval *array = jval_new_array();

	for (size_t i = 0; i < list->count; i++)
		jval_append(array, jval_new_text(list->items[i]));
	return array;
}

/* The names are those of the image-spec's config. */
static struct jval *config_value(const struct mkrootfs_image_config *config)
{
	struct jval *object = jval_new_object();

	jval_set(object, "Env", list_value(&config->env));
	jval_set(object, "Entrypoint", list_value(&config->entrypoint));
	jval_set(object, "Cmd", list_value(&config->cmd));
	jval_set(object, "User", jval_new_text(config->user));
	jval_set(object, "WorkingDir", jval_new_text(config->working_dir));
	jval_set(object, "StopSignal", jval_new_text(config->stop_signal));
	return object;
}

/* Nanoseconds. */
static struct jval *times_value(const struct mkrootfs_layer_times *times)
{
	struct jval *object = jval_new_object();

	jval_set(object, "receive", jval_new_integer((int64_t)times->receive));
	jval_set(object, "hash", jval_new_integer((int64_t)times->hash));
	jval_set(object, "unpack", jval_new_integer((int64_t)times->unpack));
	jval_set(object, "write", jval_new_integer((int64_t)times->write));
	jval_set(object, "sync", jval_new_integer((int64_t)times->sync));
	jval_set(object, "wait", jval_new_integer((int64_t)times->wait));
	jval_set(object, "total", jval_new_integer((int64_t)times->total));
	return object;
}

static struct jval *layer_value(const struct mkrootfs_image_layer *layer)
{
	struct jval *object = jval_new_object();

	jval_set(object, "diff_id", jval_new_text(layer->diff_id));
	jval_set(object, "path", jval_new_text(layer->path));
	jval_set(object, "size", jval_new_integer((int64_t)layer->size));
	jval_set(object, "reused", jval_new_bool(layer->reused));
	if (layer->times.total)
		jval_set(object, "times", times_value(&layer->times));
	return object;
}

static struct jval *layers_value(const struct mkrootfs_image *image)
{
	struct jval *array = jval_new_array();

	for (size_t i = 0; i < image->config.diff_id_count; i++)
		jval_append(array, layer_value(&image->layers[i]));
	return array;
}

int image_json(char **out, const struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	struct jval *root = jval_new_object();
	int status;

	jval_set(root, "reference", jval_new_text(image->reference));
	jval_set(root, "digest", jval_new_text(image->digest));
	jval_set(root, "platform", jval_new_text(image->platform));
	jval_set(root, "directory", jval_new_text(image->directory));
	jval_set(root, "disk", jval_new_text(image->disk));
	jval_set(root, "disk_size", jval_new_integer((int64_t)image->disk_size));
	jval_set(root, "fsmeta", jval_new_text(image->fsmeta));
	jval_set(root, "layers", layers_value(image));
	jval_set(root, "config", config_value(&image->config.run));
	if (image->problem)
		jval_set(root, "problem", jval_new_text(image->problem));
	status = jval_dump(out, root, error);
	jval_free(root);
	return status;
}
