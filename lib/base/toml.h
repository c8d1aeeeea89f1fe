/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TOML 1.0 documents (toml.io), as configuration files are written in.
 *
 *	struct toml *document;
 *	if (toml_parse(&document, data, len, error) < 0)	"line 3, column 7: ..."
 *		return error_prefix(error, "'%s': ", path);
 *	const struct toml_value *registry = toml_get(toml_root(document), "registry");
 *	for (const struct toml_value *item = toml_first(registry); item; item = item->next)
 *		use(toml_text(toml_get(item, "location")));
 *	toml_free(document);
 *
 * The whole grammar is read. Dates, times and floats are checked and kept as text; integers have 64
 * bits.
 * Values are borrowed from the document. Getters take NULL and values of other types, and then
 * return NULL: absent and mistyped look alike, so check what must be there.
 */
#ifndef MKROOTFS_BASE_TOML_H
#define MKROOTFS_BASE_TOML_H

#include "error.h"

#include <stdbool.h>

#define TOML_SIZE_MAX (1u << 20) /* bytes of a document */
#define TOML_DEPTH_MAX 64	 /* arrays and inline tables inside of each other; parts of a key */

struct toml;

enum toml_type {
	TOML_TABLE = 1,
	TOML_ARRAY,
	TOML_STRING,
	TOML_INTEGER,
	TOML_FLOAT,
	TOML_BOOLEAN,
	TOML_DATE, /* date, time, or both */
};

struct toml_value {
	struct toml_value *next; /* in the same table or array, in the order of the document */
	enum toml_type type;
	unsigned line;	 /* where it stands, from 1 */
	const char *key; /* in a table; followed by a NUL, but may hold others */
	size_t key_len;
	const char *text; /* of a string, date or float, without its underscores; the same */
	size_t len;	  /* bytes of text; how many members a table or array has */
	struct toml_value *first, *last; /* members */
	int64_t integer;		 /* a boolean's is 0 or 1 */
};

int toml_parse(struct toml **out, const void *data, size_t len, struct mkrootfs_error *error);
/* NULL is allowed. */
void toml_free(struct toml *document);

const struct toml_value *toml_root(const struct toml *document);
const struct toml_value *toml_get(const struct toml_value *table, const char *key);
const struct toml_value *toml_first(const struct toml_value *table_or_array);
/* NULL also for a string that holds a NUL. */
const char *toml_text(const struct toml_value *string);
/* "a string", "an array" */
const char *toml_type_name(enum toml_type type);

#endif
