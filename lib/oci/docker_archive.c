/* SPDX-License-Identifier: Apache-2.0 */
#include "docker_archive.h"

#include "docker_items.h"
#include "docker_saved.h"
#include "document.h"
#include "layout.h"
#include "layout_choice.h"
#include "place.h"

#include <string.h>

/* ---- The layout beside manifest.json: which of its entries is the item? ---- */

static bool is_named(const struct index_entry *entry, const struct docker_item *item)
{
	struct mkrootfs_error ignored;
	struct reference name;

	return entry->image_name && reference_parse(&name, entry->image_name, &ignored) == 0 &&
	       docker_item_has_tag(item, name.text);
}

static bool has_config(const struct index_entry *entry, struct file_set *files,
		       const struct digest *config)
{
	char name[LAYOUT_BLOB_NAME_SIZE], text[DIGEST_TEXT_SIZE];
	struct buf bytes = BUF_INIT(DOCUMENT_MAX_SIZE);
	struct mkrootfs_error ignored;
	struct jval *root = NULL;
	const char *digest;
	bool same;

	layout_blob_name(name, &entry->descriptor.digest);
	digest_format(text, config);
	if (file_set_read(&bytes, files, name, &ignored) == 0)
		jval_parse(&root, bytes.data, bytes.len, &ignored);
	digest = jval_text(jval_get(jval_get(root, "config"), "digest"));
	same = digest && !strcmp(digest, text);
	jval_free(root);
	buf_free(&bytes);
	return same;
}

/* An index of platforms, of which manifest.json shows one. */
static bool is_index(const struct index_entry *entry)
{
	return media_type_kind(entry->descriptor.media_type) == MEDIA_KIND_INDEX;
}

/* By name, by its config, or since there is only one. NULL: the layout does not hold the item. */
static const struct index_entry *find_entry(const struct index *index, struct file_set *files,
					    const struct docker_item *item, size_t item_count)
{
	struct digest config;
	bool known = docker_item_config_digest(&config, item);

	for (size_t i = 0; i < index->count; i++)
		if (is_named(&index->entries[i], item))
			return &index->entries[i];
	for (size_t i = 0; known && i < index->count; i++)
		if (has_config(&index->entries[i], files, &config))
			return &index->entries[i];
	if (item_count != 1 || !index_is_one_image(index) || !is_index(&index->entries[0]))
		return NULL;
	return &index->entries[0];
}

/* *out stays NULL when there is no layout, or another image in it. */
static int open_layout(struct transport **out, struct file_set *files,
		       const struct docker_items *items, const struct docker_item *item,
		       const struct reference *reference, struct mkrootfs_error *error)
{
	const struct index_entry *entry;

	*out = NULL;
	if (!file_set_has(files, "oci-layout"))
		return 0;
	if (layout_open_files(out, files, reference, error) < 0)
		return error->status;
	entry = find_entry(layout_index(*out), files, item, jval_count(items->root));
	if (entry) {
		layout_choose(*out, entry);
		return 0;
	}
	layout_release_files(*out);
	transport_close(*out);
	*out = NULL;
	return 0;
}

/* ---- Opening ---- */

static int open_item(struct transport **out, struct file_set *files, struct docker_items *items,
		     const struct docker_item *item, const struct reference *reference,
		     const struct docker_archive_options *options, struct mkrootfs_error *error)
{
	int status = open_layout(out, files, items, item, reference, error);

	if (status < 0 || *out)
		return status; /* its messages name the place */
	if (docker_saved_open(out, files, items, item, reference, options, error) < 0)
		return place_prefix(error, reference);
	return 0;
}

static int read_items(struct docker_items *items, struct file_set *files,
		      const struct reference *reference, struct mkrootfs_error *error)
{
	int status = docker_items_read(items, files, error);

	if (status == MKROOTFS_ERROR_NOT_FOUND)
		status = place_suggest(error, files, reference);
	return status;
}

int docker_archive_open(struct transport **out, char name[REFERENCE_TEXT_SIZE],
			struct file_set *files, const struct reference *reference,
			const struct docker_archive_options *options, struct mkrootfs_error *error)
{
	struct docker_items items;
	struct docker_item item;
	int status = read_items(&items, files, reference, error);

	*out = NULL;
	name[0] = '\0';
	if (status == 0)
		status = docker_items_choose(&item, &items, reference, error);
	if (status < 0)
		place_prefix(error, reference);
	if (status == 0)
		status = open_item(out, files, &items, &item, reference, options, error);
	if (status == 0 && reference->tag[0])
		strcpy(name, reference->tag);
	else if (status == 0)
		docker_item_only_tag(name, &item);
	docker_items_free(&items);
	return status;
}
