/* SPDX-License-Identifier: Apache-2.0 */
#include "toml_document.h"

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
	const struct toml_value *other = toml_find_member(document, table, name, len);

	return other ? taken(other, error)
		     : toml_put_member(document, table, name, len, member, error);
}

static int add_table(struct toml *document, struct toml_value **out, struct toml_value *table,
		     const struct toml_key *key, size_t part, unsigned line,
		     struct mkrootfs_error *error)
{
	if (toml_new_value(document, out, TOML_TABLE, line, error) < 0)
		return error->status;
	return toml_put_member(document, table, key->parts[part].text, key->parts[part].len, *out,
			       error);
}

/* The table of one part of a header that is not its last; in an array of tables the last one. */
static int step_into(struct toml *document, struct toml_value **table, const struct toml_key *key,
		     size_t part, unsigned line, struct mkrootfs_error *error)
{
	struct toml_value *parent = *table;

	*table = toml_find_member(document, parent, key->parts[part].text, key->parts[part].len);
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

	*out = toml_find_member(document, parent, key->parts[last].text, key->parts[last].len);
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
	struct toml_value *array = toml_find_member(document, parent, name, len);

	*out = NULL;
	if (array && (array->type != TOML_ARRAY || node_of(array)->closed))
		return taken(array, error);
	if (!array) {
		if (toml_new_value(document, &array, TOML_ARRAY, line, error) < 0 ||
		    toml_put_member(document, parent, name, len, array, error) < 0)
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
			toml_find_member(document, table, key->parts[i].text, key->parts[i].len);

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
