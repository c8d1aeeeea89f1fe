/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON values, read and written. The only user of jansson.
 *
 *	struct jval *root;
 *	jval_parse(&root, data, len, error);
 *	const char *type = jval_text(jval_get(root, "mediaType"));
 *	jval_free(root);
 *
 * What a getter returns is borrowed from its parent. Getters take NULL and values of other types,
 * and then return NULL or zero: absent and mistyped look alike, so check what must be there.
 */
#ifndef MKROOTFS_BASE_JVAL_H
#define MKROOTFS_BASE_JVAL_H

#include "error.h"

#include <stdbool.h>

struct jval;

/* Refuses duplicate keys, invalid UTF-8, NULs in strings, deep nesting and trailing bytes. */
int jval_parse(struct jval **out, const void *data, size_t len, struct mkrootfs_error *error);
/*
 * The same for documents that hold secrets: the error says the line and the column and quotes
 * nothing. Free with jval_wipe.
 */
int jval_parse_secret(struct jval **out, const void *data, size_t len,
		      struct mkrootfs_error *error);
void jval_free(struct jval *root);
/* Frees a document of which there is no other reference, its strings overwritten. */
void jval_wipe(struct jval *root);

const struct jval *jval_get(const struct jval *object, const char *key);
const struct jval *jval_at(const struct jval *array, size_t index);
size_t jval_count(const struct jval *array);
const char *jval_text(const struct jval *string);
/* False, and *out zero, when the value is no integer. */
bool jval_integer(int64_t *out, const struct jval *value);
bool jval_is_object(const struct jval *value);
/* True for a NULL value too: what a document leaves out and what it sets to null mean the same. */
bool jval_is_absent(const struct jval *value);
bool jval_is_array(const struct jval *value);

/*
 * Steps through the members of an object in their order: lends the first key for NULL, then the one
 * behind key; NULL at the end. No member may be set or removed on the way.
 */
const char *jval_next_key(const struct jval *object, const char *key);

/*
 * Building. The setters take ownership of child and report failure, also of a NULL child, only at
 * jval_dump of the root: there is one place to check. Bytes that are no UTF-8 become U+FFFD.
 */
struct jval *jval_new_object(void);
struct jval *jval_new_array(void);
struct jval *jval_new_text(const char *text);
struct jval *jval_new_integer(int64_t value);
struct jval *jval_new_bool(bool value);
void jval_set(struct jval *object, const char *key, struct jval *child);
void jval_append(struct jval *array, struct jval *child);
/*
 * The document as ASCII text with two spaces of indent, so that no control byte of an image reaches
 * a terminal; *out is the caller's to free.
 */
int jval_dump(char **out, const struct jval *root, struct mkrootfs_error *error);

/*
 * Editing what was parsed. A member that is there keeps its place, a new one goes to the end; child
 * is taken, also on failure, and may be NULL when memory ran out.
 */
int jval_put(struct jval *object, const char *key, struct jval *child,
	     struct mkrootfs_error *error);
/* False when there is no such member. */
bool jval_remove(struct jval *object, const char *key);
/* The members' values, to be edited; as jval_get. */
struct jval *jval_edit(struct jval *object, const char *key);
/* Like jval_dump, but nulls are allowed and text stays UTF-8. Secrets: free with secret_free. */
int jval_rewrite(char **out, const struct jval *root, struct mkrootfs_error *error);

#endif
