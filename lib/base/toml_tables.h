/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a TOML document, and who may add to which table. Private to the TOML reader.
 *
 *	toml_tables_create(&document, error);
 *	toml_open_table(document, &table, &key, false, error);	[a.b]
 *	toml_open_parent(document, &parent, table, &key, section, error);	c.d = ...
 *	toml_new_value(document, &value, TOML_STRING, line, error);
 *	toml_add_member(document, parent, &key, value, error);
 *
 * Errors say what is wrong, not where. A table is made once: by its header, by the dotted keys of
 * one section (a header's keys, or an inline table), or between its braces. What only stood in the
 * middle of a header may still be made by its own.
 */
#ifndef MKROOTFS_BASE_TOML_TABLES_H
#define MKROOTFS_BASE_TOML_TABLES_H

#include "toml.h"

struct toml_key {
	struct {
		const char *text; /* owned by the document */
		size_t len;
	} parts[TOML_DEPTH_MAX];
	size_t count;
};

int toml_tables_create(struct toml **out, struct mkrootfs_error *error);
/* Memory that lives as long as the document, for any type. */
int toml_alloc(struct toml *document, void **out, size_t size, struct mkrootfs_error *error);
/* A copy with a NUL behind it. */
int toml_copy_text(struct toml *document, const char **out, const void *text, size_t len,
		   struct mkrootfs_error *error);
struct toml_value *toml_root_table(struct toml *document);

int toml_new_value(struct toml *document, struct toml_value **out, enum toml_type type,
		   unsigned line, struct mkrootfs_error *error);
void toml_append_item(struct toml_value *array, struct toml_value *item);
/* Fails when the table has that member; the key is the last part. */
int toml_add_member(struct toml *document, struct toml_value *table, const struct toml_key *key,
		    struct toml_value *member, struct mkrootfs_error *error);

/* The table of a header; in_array: a new one at the end of an array of tables. */
int toml_open_table(struct toml *document, struct toml_value **out, const struct toml_key *key,
		    bool in_array, unsigned line, struct mkrootfs_error *error);
/* The table that all but the last part of a key lead to, from another one. */
int toml_open_parent(struct toml *document, struct toml_value **out, struct toml_value *table,
		     const struct toml_key *key, unsigned section, unsigned line,
		     struct mkrootfs_error *error);
/* Nothing may be added any more, at the end of an inline table. */
void toml_close_table(struct toml_value *table);

#endif
