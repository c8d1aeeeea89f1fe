/* SPDX-License-Identifier: Apache-2.0 */
#include "registries_read.h"

#include "grammar.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int registries_fail(const struct toml_value *value, struct mkrootfs_error *error,
		    const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "line %u: %s", value->line, text);
}

/* ---- Members of a table; absent ones leave *out as it is ---- */

static int wrong_type(const struct toml_value *value, const char *key, enum toml_type expected,
		      struct mkrootfs_error *error)
{
	return registries_fail(value, error, "'%s' is %s, not %s", key, toml_type_name(value->type),
			       toml_type_name(expected));
}

static int read_boolean(bool *out, const struct toml_value *table, const char *key,
			struct mkrootfs_error *error)
{
	const struct toml_value *value = toml_get(table, key);

	if (!value)
		return 0;
	if (value->type != TOML_BOOLEAN)
		return wrong_type(value, key, TOML_BOOLEAN, error);
	*out = value->integer != 0;
	return 0;
}

static int read_text(const char **out, const struct toml_value *table, const char *key,
		     struct mkrootfs_error *error)
{
	const struct toml_value *value = toml_get(table, key);

	if (!value)
		return 0;
	*out = toml_text(value);
	return *out ? 0 : wrong_type(value, key, TOML_STRING, error);
}

/* A copy without slashes at its end and with the host in lower case, as references have it. */
static int copy_name(char **out, const char *name, struct mkrootfs_error *error)
{
	size_t len = strlen(name);

	while (len > 0 && name[len - 1] == '/')
		len--;
	*out = strndup(name, len);
	if (!*out)
		return error_no_memory(error);
	for (char *at = *out; *at && *at != '/'; at++) {
		if (strchr(GRAMMAR_UPPER, *at))
			*at = (char)(*at | 0x20);
	}
	return 0;
}

/* A name with a registry in it; absent and empty ones leave NULL. */
static int read_name(char **out, const struct toml_value *table, const char *key,
		     struct mkrootfs_error *error)
{
	const char *text = NULL;

	if (read_text(&text, table, key, error) < 0)
		return error->status;
	if (!text || !*text)
		return 0;
	if (strstr(text, "://"))
		return registries_fail(toml_get(table, key), error,
				       "%s '%.200s': leave out the URL's scheme", key, text);
	if (copy_name(out, text, error) < 0)
		return error->status;
	return **out ? 0 : registries_fail(toml_get(table, key), error, "'%s' is empty", key);
}

int registries_read_tables(const struct toml_value **first, const struct toml_value *parent,
			   const char *key, struct mkrootfs_error *error)
{
	const struct toml_value *array = toml_get(parent, key);

	*first = NULL;
	if (!array)
		return 0;
	if (array->type != TOML_ARRAY)
		return registries_fail(array, error, "'%s' is %s, not an array of tables", key,
				       toml_type_name(array->type));
	for (const struct toml_value *item = array->first; item; item = item->next) {
		if (item->type != TOML_TABLE)
			return wrong_type(item, key, TOML_TABLE, error);
	}
	*first = array->first;
	return 0;
}

/* ---- Mirrors ---- */

static int read_use(enum mirror_use *out, const struct toml_value *table, bool by_digest_only,
		    struct mkrootfs_error *error)
{
	static const char key[] = "pull-from-mirror";
	const char *text = NULL;

	*out = by_digest_only ? MIRROR_FOR_DIGESTS : MIRROR_FOR_ALL;
	if (read_text(&text, table, key, error) < 0)
		return error->status;
	if (!text || !*text)
		return 0;
	if (by_digest_only)
		return registries_fail(toml_get(table, key), error,
				       "'%s' cannot be used beside 'mirror-by-digest-only'", key);
	if (!strcmp(text, "digest-only"))
		*out = MIRROR_FOR_DIGESTS;
	else if (!strcmp(text, "tag-only"))
		*out = MIRROR_FOR_TAGS;
	else if (strcmp(text, "all") != 0)
		return registries_fail(toml_get(table, key), error,
				       "'%s' is 'all', 'digest-only' or 'tag-only', not '%.100s'",
				       key, text);
	return 0;
}

static int read_mirror(struct registries_mirror *out, const struct toml_value *table,
		       bool by_digest_only, struct mkrootfs_error *error)
{
	if (read_name(&out->location, table, "location", error) < 0 ||
	    read_boolean(&out->insecure, table, "insecure", error) < 0)
		return error->status;
	if (!out->location)
		return registries_fail(table, error, "a mirror without a location");
	return read_use(&out->use, table, by_digest_only, error);
}

static int read_mirrors(struct registries_entry *entry, const struct toml_value *table,
			struct mkrootfs_error *error)
{
	const struct toml_value *first;
	bool by_digest_only = false;
	int status = registries_read_tables(&first, table, "mirror", error);

	if (status == 0)
		status = read_boolean(&by_digest_only, table, "mirror-by-digest-only", error);
	if (status < 0 || !first)
		return status;
	entry->mirrors = calloc(toml_get(table, "mirror")->len, sizeof(*entry->mirrors));
	if (!entry->mirrors)
		return error_no_memory(error);
	for (; status == 0 && first; first = first->next)
		status = read_mirror(&entry->mirrors[entry->mirror_count++], first, by_digest_only,
				     error);
	return status;
}

/* ---- Registries ---- */

/* "*." and a domain, without a port or a path. */
static bool is_good_wildcard(const char *prefix)
{
	return !strncmp(prefix, "*.", 2) && grammar_is_domain(prefix + 2);
}

static int check_prefix(struct registries_entry *entry, const struct toml_value *table,
			struct mkrootfs_error *error)
{
	if (!entry->prefix && !entry->location)
		return registries_fail(table, error, "a registry without a prefix and a location");
	if (!entry->prefix) {
		entry->prefix = entry->location;
		entry->location = NULL;
	}
	if (strchr(entry->prefix, '*') && !is_good_wildcard(entry->prefix))
		return registries_fail(table, error,
				       "prefix '%.200s': '*' can only begin a name like "
				       "*.example.com",
				       entry->prefix);
	return 0;
}

int registries_read_entry(struct registries_entry *out, const struct toml_value *table,
			  struct mkrootfs_error *error)
{
	out->line = table->line;
	if (read_name(&out->prefix, table, "prefix", error) < 0 ||
	    read_name(&out->location, table, "location", error) < 0 ||
	    read_boolean(&out->insecure, table, "insecure", error) < 0 ||
	    read_boolean(&out->blocked, table, "blocked", error) < 0 ||
	    check_prefix(out, table, error) < 0)
		return error->status;
	return read_mirrors(out, table, error);
}

void registries_entry_free(struct registries_entry *entry)
{
	for (size_t i = 0; i < entry->mirror_count; i++)
		free(entry->mirrors[i].location);
	free(entry->mirrors);
	free(entry->prefix);
	free(entry->location);
	free(entry->file);
}

int registries_refuse_v1(const struct toml_value *root, struct mkrootfs_error *error)
{
	const struct toml_value *table = toml_get(root, "registries");

	if (!table)
		return 0;
	error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
		  "line %u: [registries] is version 1 of the format, which is not supported",
		  table->line);
	return error_advise(error, "write it as version 2, with [[registry]] tables: see "
				   "containers-registries.conf(5)");
}
