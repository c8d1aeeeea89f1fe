/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_tables.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

struct block {
	struct block *next;
	max_align_t data[];
};

/* A value with what the rules of tables need to know. */
struct node {
	struct toml_value value;
	const struct toml_value *parent;
	unsigned section; /* whose dotted keys made this table; 0: none */
	bool defined;	  /* by its own header, or by dotted keys */
	bool closed;	  /* between braces or brackets: nothing may be added */
};

struct toml {
	struct toml_value *root;
	struct block *blocks;
	struct node **slots; /* members of all tables by parent and key */
	size_t slot_count;   /* a power of two, or 0 */
	size_t member_count;
};

static struct node *node_of(struct toml_value *value)
{
	return (struct node *)value;
}

/* ---- Memory ---- */

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

/* ---- Members ---- */

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

static struct toml_value *find(const struct toml *document, const struct toml_value *table,
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

static int add(struct toml *document, struct toml_value *table, const char *key, size_t len,
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

static int taken(const struct toml_value *value, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%.100s' was given before, in line %u",
			 value->key, value->line);
}

int toml_add_member(struct toml *document, struct toml_value *table, const struct toml_key *key,
		    struct toml_value *member, struct mkrootfs_error *error)
{
	const char *name = key->parts[key->count - 1].text;
	size_t len = key->parts[key->count - 1].len;
	const struct toml_value *other = find(document, table, name, len);

	return other ? taken(other, error) : add(document, table, name, len, member, error);
}

/* ---- Which table ---- */

static int add_table(struct toml *document, struct toml_value **out, struct toml_value *table,
		     const struct toml_key *key, size_t part, unsigned line,
		     struct mkrootfs_error *error)
{
	if (toml_new_value(document, out, TOML_TABLE, line, error) < 0)
		return error->status;
	return add(document, table, key->parts[part].text, key->parts[part].len, *out, error);
}

/* The table of one part of a header that is not its last; in an array of tables the last one. */
static int step_into(struct toml *document, struct toml_value **table, const struct toml_key *key,
		     size_t part, unsigned line, struct mkrootfs_error *error)
{
	struct toml_value *parent = *table;

	*table = find(document, parent, key->parts[part].text, key->parts[part].len);
	if (!*table)
		return add_table(document, table, parent, key, part, line, error);
	if (node_of(*table)->closed ||
	    ((*table)->type != TOML_TABLE && (*table)->type != TOML_ARRAY))
		return taken(*table, error);
	if ((*table)->type == TOML_ARRAY)
		*table = (*table)->last;
	return 0;
}

static int define(struct toml *document, struct toml_value **out, struct toml_value *parent,
		  const struct toml_key *key, unsigned line, struct mkrootfs_error *error)
{
	size_t last = key->count - 1;

	*out = find(document, parent, key->parts[last].text, key->parts[last].len);
	if (!*out) {
		if (add_table(document, out, parent, key, last, line, error) < 0)
			return error->status;
	} else if ((*out)->type != TOML_TABLE || node_of(*out)->defined || node_of(*out)->closed) {
		return taken(*out, error);
	}
	node_of(*out)->defined = true;
	return 0;
}

static int append_table(struct toml *document, struct toml_value **out, struct toml_value *parent,
			const struct toml_key *key, unsigned line, struct mkrootfs_error *error)
{
	size_t last = key->count - 1;
	const char *name = key->parts[last].text;
	size_t len = key->parts[last].len;
	struct toml_value *array = find(document, parent, name, len);

	*out = NULL;
	if (array && (array->type != TOML_ARRAY || node_of(array)->closed))
		return taken(array, error);
	if (!array) {
		if (toml_new_value(document, &array, TOML_ARRAY, line, error) < 0 ||
		    add(document, parent, name, len, array, error) < 0)
			return error->status;
		node_of(array)->closed = false;
	}
	if (toml_new_value(document, out, TOML_TABLE, line, error) < 0)
		return error->status;
	node_of(*out)->defined = true;
	toml_append_item(array, *out);
	return 0;
}

int toml_open_table(struct toml *document, struct toml_value **out, const struct toml_key *key,
		    bool in_array, unsigned line, struct mkrootfs_error *error)
{
	struct toml_value *table = document->root;
	int status = 0;

	for (size_t i = 0; status == 0 && i + 1 < key->count; i++)
		status = step_into(document, &table, key, i, line, error);
	*out = NULL;
	if (status < 0)
		return status;
	return in_array ? append_table(document, out, table, key, line, error)
			: define(document, out, table, key, line, error);
}

int toml_open_parent(struct toml *document, struct toml_value **out, struct toml_value *table,
		     const struct toml_key *key, unsigned section, unsigned line,
		     struct mkrootfs_error *error)
{
	*out = NULL;
	for (size_t i = 0; i + 1 < key->count; i++) {
		struct toml_value *next =
			find(document, table, key->parts[i].text, key->parts[i].len);

		if (next && (next->type != TOML_TABLE || node_of(next)->closed ||
			     (node_of(next)->defined && node_of(next)->section != section)))
			return taken(next, error);
		if (!next && add_table(document, &next, table, key, i, line, error) < 0)
			return error->status;
		node_of(next)->defined = true;
		node_of(next)->section = section;
		table = next;
	}
	*out = table;
	return 0;
}

void toml_close_table(struct toml_value *table)
{
	node_of(table)->closed = true;
}
