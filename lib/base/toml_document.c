/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_document.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

int toml_alloc(struct toml *document, void **out, size_t size, struct mkrootfs_error *error)
{
	struct block *block = calloc(1, sizeof(*block) + size);

	*out = NULL;
	if (!block)
		return error_no_memory(error);
	block->next = document->blocks;
	document->blocks = block;
	*out = block->data;
	return 0;
}

int toml_copy_text(struct toml *document, const char **out, const void *text, size_t len,
		   struct mkrootfs_error *error)
{
	void *copy;
	int status = toml_alloc(document, &copy, len + 1, error);

	if (status == 0 && len > 0)
		memcpy(copy, text, len);
	*out = copy;
	return status;
}

int toml_new_value(struct toml *document, struct toml_value **out, enum toml_type type,
		   unsigned line, struct mkrootfs_error *error)
{
	void *memory;
	int status = toml_alloc(document, &memory, sizeof(struct node), error);

	*out = memory;
	if (status < 0)
		return status;
	(*out)->type = type;
	(*out)->line = line;
	node_of(*out)->closed = type == TOML_ARRAY;
	return 0;
}

int toml_tables_create(struct toml **out, struct mkrootfs_error *error)
{
	struct toml *document = calloc(1, sizeof(*document));

	*out = NULL;
	if (!document)
		return error_no_memory(error);
	if (toml_new_value(document, &document->root, TOML_TABLE, 1, error) < 0) {
		toml_free(document);
		return error->status;
	}
	node_of(document->root)->defined = true;
	*out = document;
	return 0;
}

void toml_free(struct toml *document)
{
	if (!document)
		return;
	while (document->blocks) {
		struct block *block = document->blocks;

		document->blocks = block->next;
		free(block);
	}
	free(document->slots);
	free(document);
}

struct toml_value *toml_root_table(struct toml *document)
{
	return document->root;
}

const struct toml_value *toml_root(const struct toml *document)
{
	return document->root;
}

/* The slot of a member, or the empty one where it would stand. */
static struct node **find_slot(const struct toml *document, const struct toml_value *parent,
			       const char *key, size_t len)
{
	uint64_t hash = hash_mix(hash_seed(document), (uint64_t)(uintptr_t)parent);
	size_t at = hash_bytes(hash, key, len);

	for (;; at++) {
		struct node **slot = &document->slots[at & (document->slot_count - 1)];

		if (!*slot || ((*slot)->parent == parent && (*slot)->value.key_len == len &&
			       !memcmp((*slot)->value.key, key, len)))
			return slot;
	}
}

static int grow(struct toml *document, struct mkrootfs_error *error)
{
	struct node **old = document->slots;
	size_t old_count = document->slot_count, count = old_count ? old_count * 2 : 64;
	struct node **slots;

	if (document->member_count * 2 < old_count)
		return 0;
	slots = calloc(count, sizeof(struct node *));
	if (!slots)
		return error_no_memory(error);
	document->slots = slots;
	document->slot_count = count;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i])
			*find_slot(document, old[i]->parent, old[i]->value.key,
				   old[i]->value.key_len) = old[i];
	}
	free(old);
	return 0;
}

struct toml_value *toml_find_member(const struct toml *document, const struct toml_value *table,
				    const char *key, size_t len)
{
	struct node **slot = document->slot_count ? find_slot(document, table, key, len) : NULL;

	return slot && *slot ? &(*slot)->value : NULL;
}

void toml_append_item(struct toml_value *array, struct toml_value *item)
{
	if (array->last)
		array->last->next = item;
	else
		array->first = item;
	array->last = item;
	array->len++;
}

int toml_put_member(struct toml *document, struct toml_value *table, const char *key, size_t len,
		    struct toml_value *member, struct mkrootfs_error *error)
{
	if (grow(document, error) < 0)
		return error->status;
	member->key = key;
	member->key_len = len;
	node_of(member)->parent = table;
	*find_slot(document, table, key, len) = node_of(member);
	document->member_count++;
	toml_append_item(table, member);
	return 0;
}
