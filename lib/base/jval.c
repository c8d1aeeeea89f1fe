/* SPDX-License-Identifier: Apache-2.0 */
#include "jval.h"

#include "utf8.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* struct jval is never defined: it stands for json_t in this file's signatures. */
static json_t *to_json(const struct jval *value)
{
	return (json_t *)(uintptr_t)value;
}

static struct jval *from_json(json_t *value)
{
	return (struct jval *)value;
}

int jval_parse(struct jval **out, const void *data, size_t len, struct mkrootfs_error *error)
{
	json_error_t reason;
	json_t *root = json_loadb(len ? data : "", len, JSON_REJECT_DUPLICATES, &reason);

	*out = from_json(root);
	if (!root)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "not JSON: line %d: %s",
				 reason.line, reason.text);
	return 0;
}

int jval_parse_secret(struct jval **out, const void *data, size_t len, struct mkrootfs_error *error)
{
	json_error_t reason;
	json_t *root = json_loadb(len ? data : "", len, JSON_REJECT_DUPLICATES, &reason);

	*out = from_json(root);
	if (!root)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "not JSON: line %d, column %d",
				 reason.line, reason.column);
	return 0;
}

void jval_free(struct jval *root)
{
	json_decref(to_json(root));
}

/* jansson lends the very bytes that it holds. */
static void wipe_strings(json_t *value)
{
	const char *key;
	json_t *child;
	size_t index;

	if (json_is_string(value))
		explicit_bzero((char *)(uintptr_t)json_string_value(value),
			       json_string_length(value));
	json_object_foreach(value, key, child) wipe_strings(child);
	json_array_foreach(value, index, child) wipe_strings(child);
}

void jval_wipe(struct jval *root)
{
	wipe_strings(to_json(root));
	jval_free(root);
}

const struct jval *jval_get(const struct jval *object, const char *key)
{
	return from_json(json_object_get(to_json(object), key));
}

const struct jval *jval_at(const struct jval *array, size_t index)
{
	return from_json(json_array_get(to_json(array), index));
}

size_t jval_count(const struct jval *array)
{
	return json_array_size(to_json(array));
}

const char *jval_text(const struct jval *string)
{
	return json_string_value(to_json(string));
}

bool jval_integer(int64_t *out, const struct jval *value)
{
	*out = json_integer_value(to_json(value));
	return json_is_integer(to_json(value));
}

bool jval_is_object(const struct jval *value)
{
	return json_is_object(to_json(value));
}

bool jval_is_array(const struct jval *value)
{
	return json_is_array(to_json(value));
}

bool jval_is_absent(const struct jval *value)
{
	return !value || json_is_null(to_json(value));
}

const char *jval_next_key(const struct jval *object, const char *key)
{
	json_t *json = to_json(object);
	void *at = key ? json_object_iter_at(json, key) : json_object_iter(json);

	if (key && at)
		at = json_object_iter_next(json, at);
	return at ? json_object_iter_key(at) : NULL;
}

struct jval *jval_new_object(void)
{
	return from_json(json_object());
}

struct jval *jval_new_array(void)
{
	return from_json(json_array());
}

static void replace_invalid(char *out, const unsigned char *text)
{
	while (*text) {
		size_t len = utf8_length(text, strlen((const char *)text));

		memcpy(out, len ? (const char *)text : "\xef\xbf\xbd", len ? len : 3);
		out += len ? len : 3;
		text += len ? len : 1;
	}
	*out = '\0';
}

struct jval *jval_new_text(const char *text)
{
	char *clean = malloc(3 * strlen(text) + 1);
	json_t *value;

	if (!clean)
		return NULL;
	replace_invalid(clean, (const unsigned char *)text);
	value = json_string(clean);
	free(clean);
	return from_json(value);
}

struct jval *jval_new_integer(int64_t value)
{
	return from_json(json_integer(value));
}

struct jval *jval_new_bool(bool value)
{
	return from_json(json_boolean(value));
}

/* jval_set and jval_append leave a null where memory ran out. */
static bool is_complete(json_t *value)
{
	const char *key;
	json_t *child;
	size_t index;

	if (!value || json_is_null(value))
		return false;
	json_object_foreach(value, key, child) if (!is_complete(child)) return false;
	json_array_foreach(value, index, child) if (!is_complete(child)) return false;
	return true;
}

void jval_set(struct jval *object, const char *key, struct jval *child)
{
	json_object_set_new(to_json(object), key, child ? to_json(child) : json_null());
}

void jval_append(struct jval *array, struct jval *child)
{
	json_array_append_new(to_json(array), child ? to_json(child) : json_null());
}

int jval_dump(char **out, const struct jval *root, struct mkrootfs_error *error)
{
	*out = is_complete(to_json(root))
		       ? json_dumps(to_json(root), JSON_INDENT(2) | JSON_ENSURE_ASCII)
		       : NULL;
	return *out ? 0 : error_no_memory(error);
}

/* ---- Editing ---- */

int jval_put(struct jval *object, const char *key, struct jval *child, struct mkrootfs_error *error)
{
	if (!child || json_object_set_new(to_json(object), key, to_json(child)) < 0)
		return error_no_memory(error);
	return 0;
}

bool jval_remove(struct jval *object, const char *key)
{
	return json_object_del(to_json(object), key) == 0;
}

struct jval *jval_edit(struct jval *object, const char *key)
{
	return from_json(json_object_get(to_json(object), key));
}

int jval_rewrite(char **out, const struct jval *root, struct mkrootfs_error *error)
{
	*out = json_dumps(to_json(root), JSON_INDENT(2));
	return *out ? 0 : error_no_memory(error);
}
