/* SPDX-License-Identifier: Apache-2.0 */
#include "save_parts.h"

#include "../oci/document.h"
#include "../oci/layout.h"

static struct jval *platform_value(const struct platform *platform)
{
	struct jval *value = jval_new_object();

	jval_set(value, "architecture", jval_new_text(platform->architecture));
	jval_set(value, "os", jval_new_text(platform->os));
	if (platform->variant[0])
		jval_set(value, "variant", jval_new_text(platform->variant));
	return value;
}

/* As docker and containerd name images in a layout. */
static struct jval *names_value(const struct save_options *options)
{
	struct jval *names = jval_new_object();

	if (options->name)
		jval_set(names, "io.containerd.image.name", jval_new_text(options->name));
	jval_set(names, "org.opencontainers.image.ref.name", jval_new_text(options->tag));
	return names;
}

int save_parts_write_index(struct save_parts *parts, const struct mkrootfs_image *image,
			   const struct save_options *options, struct mkrootfs_error *error)
{
	struct jval *root = jval_new_object(), *manifests = jval_new_array();
	struct jval *entry = save_parts_descriptor(&parts->manifest_descriptor);
	int status;

	if (image->config.platform.os[0] && image->config.platform.architecture[0])
		jval_set(entry, "platform", platform_value(&image->config.platform));
	if (options->tag)
		jval_set(entry, "annotations", names_value(options));
	jval_append(manifests, entry);
	jval_set(root, "schemaVersion", jval_new_integer(2));
	jval_set(root, "mediaType", jval_new_text(MEDIA_OCI_INDEX));
	jval_set(root, "manifests", manifests);
	status = jval_dump(&parts->index, root, error);
	jval_free(root);
	return status;
}

static struct jval *blob_name_value(const struct descriptor *descriptor)
{
	char name[LAYOUT_BLOB_NAME_SIZE];

	layout_blob_name(name, &descriptor->digest);
	return jval_new_text(name);
}

int save_parts_write_docker_list(struct save_parts *parts, const struct save_options *options,
				 struct mkrootfs_error *error)
{
	struct jval *root = jval_new_array(), *item = jval_new_object();
	struct jval *tags = jval_new_array(), *layers = jval_new_array();
	int status;

	if (options->name)
		jval_append(tags, jval_new_text(options->name));
	for (size_t i = 0; i < parts->layer_count; i++)
		jval_append(layers, blob_name_value(&parts->layers[i]));
	jval_set(item, "Config", blob_name_value(&parts->config_descriptor));
	jval_set(item, "RepoTags", tags);
	jval_set(item, "Layers", layers);
	jval_append(root, item);
	status = jval_dump(&parts->docker_list, root, error);
	jval_free(root);
	return status;
}
