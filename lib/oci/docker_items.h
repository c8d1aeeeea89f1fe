/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The images that manifest.json of a docker archive lists: [{"Config", "RepoTags", "Layers"}].
 *
 *	struct docker_items items;
 *	docker_items_read(&items, files, error);
 *	docker_items_choose(&item, &items, &reference, error);
 *	docker_items_free(&items);
 */
#ifndef MKROOTFS_OCI_DOCKER_ITEMS_H
#define MKROOTFS_OCI_DOCKER_ITEMS_H

#include "../base/jval.h"
#include "../io/file_set.h"
#include "reference.h"

struct docker_items {
	struct jval *root;
};

struct docker_item {
	const char *config;	   /* name of a file of the archive, as written */
	const struct jval *tags;   /* array of names, or absent */
	const struct jval *layers; /* array of names of files, lowest first */
};

int docker_items_read(struct docker_items *out, struct file_set *files,
		      struct mkrootfs_error *error);
/*
 * The one that the reference names by its tag or number; without either the only one. An error
 * lists what there is. What item holds is borrowed from items.
 */
int docker_items_choose(struct docker_item *item, const struct docker_items *items,
			const struct reference *reference, struct mkrootfs_error *error);
/* Whether one of the item's names is the canonical one; names that are none are ignored. */
bool docker_item_has_tag(const struct docker_item *item, const char *canonical);
/* The canonical form of the item's only name; empty when it has none, or several. */
void docker_item_only_tag(char out[REFERENCE_TEXT_SIZE], const struct docker_item *item);
/*
 * The digest that the name of the config stands for ("<hex>.json", "blobs/sha256/<hex>",
 * "sha256:<hex>"); false when it is another name.
 */
bool docker_item_config_digest(struct digest *out, const struct docker_item *item);
void docker_items_free(struct docker_items *items);

#endif
