/* SPDX-License-Identifier: Apache-2.0 */
#include "registries_conf.h"

#include "grammar.h"
#include "reference.h"
#include "registries_read.h"

#include <stdlib.h>
#include <string.h>

struct alias {
	char *name, *value;
};

struct registries_conf {
	struct registries_entry *entries;
	size_t entry_count;
	struct alias *aliases;
	size_t alias_count;
	unsigned file_count;
};

int registries_conf_create(struct registries_conf **out, struct mkrootfs_error *error)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : error_no_memory(error);
}

void registries_conf_free(struct registries_conf *conf)
{
	if (!conf)
		return;
	for (size_t i = 0; i < conf->entry_count; i++)
		registries_entry_free(&conf->entries[i]);
	for (size_t i = 0; i < conf->alias_count; i++) {
		free(conf->aliases[i].name);
		free(conf->aliases[i].value);
	}
	free(conf->entries);
	free(conf->aliases);
	free(conf);
}

/* ---- Reading ---- */

/* The array with room for more items, zeroed, behind count; NULL, and items stay, without memory.
 */
static void *extend(void *items, size_t count, size_t more, size_t size)
{
	char *bigger = reallocarray(items, count + more, size);

	if (bigger)
		memset(bigger + count * size, 0, more * size);
	return bigger;
}

static int add_entry(struct registries_entry *out, const char *file, const struct toml_value *table,
		     struct mkrootfs_error *error)
{
	if (registries_read_entry(out, table, error) < 0)
		return error->status;
	out->file = strdup(file);
	return out->file ? 0 : error_no_memory(error);
}

static int add_entries(struct registries_conf *conf, const char *file,
		       const struct toml_value *root, struct mkrootfs_error *error)
{
	struct registries_entry *entries;
	const struct toml_value *table;
	int status = registries_read_tables(&table, root, "registry", error);

	if (status < 0 || !table)
		return status;
	entries = extend(conf->entries, conf->entry_count, toml_get(root, "registry")->len,
			 sizeof(*entries));
	if (!entries)
		return error_no_memory(error);
	conf->entries = entries;
	for (; status == 0 && table; table = table->next) {
		entries[conf->entry_count].file_number = conf->file_count;
		status = add_entry(&entries[conf->entry_count++], file, table, error);
	}
	return status;
}

static int add_alias(struct alias *out, const struct toml_value *member,
		     struct mkrootfs_error *error)
{
	const char *value = toml_text(member);

	if (!value)
		return registries_fail(member, error, "alias '%.200s' is %s, not a string",
				       member->key, toml_type_name(member->type));
	out->name = strdup(member->key);
	out->value = strdup(value);
	return out->name && out->value ? 0 : error_no_memory(error);
}

static int add_aliases(struct registries_conf *conf, const struct toml_value *root,
		       struct mkrootfs_error *error)
{
	const struct toml_value *table = toml_get(root, "aliases"), *member;
	struct alias *aliases;
	int status = 0;

	if (table && table->type != TOML_TABLE)
		return registries_fail(table, error, "'aliases' is %s, not a table",
				       toml_type_name(table->type));
	if (!table || !table->len)
		return 0;
	aliases = extend(conf->aliases, conf->alias_count, table->len, sizeof(*aliases));
	if (!aliases)
		return error_no_memory(error);
	conf->aliases = aliases;
	for (member = table->first; status == 0 && member; member = member->next)
		status = add_alias(&aliases[conf->alias_count++], member, error);
	return status;
}

int registries_conf_add(struct registries_conf *conf, const char *file, const void *data,
			size_t len, struct mkrootfs_error *error)
{
	struct toml *document;
	int status = toml_parse(&document, data, len, error);

	if (status == 0)
		status = registries_refuse_v1(toml_root(document), error);
	if (status == 0)
		status = add_entries(conf, file, toml_root(document), error);
	if (status == 0)
		status = add_aliases(conf, toml_root(document), error);
	conf->file_count++;
	toml_free(document);
	return status < 0 ? error_prefix(error, "'%s': ", file) : 0;
}

/* ---- Asking ---- */

static bool ends_name(char byte)
{
	return byte == '\0' || byte == '/' || byte == ':' || byte == '@';
}

/* "*.example.com": any number of labels in front; what is matched reaches to the domain's end. */
static size_t match_wildcard(const char *domain, const char *reference)
{
	size_t host = strcspn(reference, "/:"), len = strlen(domain);

	if (host <= len || memcmp(reference + host - len, domain, len) != 0)
		return 0;
	return host;
}

size_t registries_entry_match(const struct registries_entry *entry, const char *reference)
{
	size_t len = strlen(entry->prefix);

	if (entry->prefix[0] == '*')
		return match_wildcard(entry->prefix + 1, reference);
	return !strncmp(reference, entry->prefix, len) && ends_name(reference[len]) ? len : 0;
}

/* A longer prefix, or the same one in a later file. */
static bool is_better(const struct registries_entry *a, const struct registries_entry *b)
{
	size_t a_len = strlen(a->prefix), b_len = strlen(b->prefix);

	return a_len != b_len ? a_len > b_len : a->file_number > b->file_number;
}

const struct registries_entry *registries_conf_find(const struct registries_conf *conf,
						    const char *reference)
{
	const struct registries_entry *best = NULL;

	for (size_t i = 0; i < conf->entry_count; i++) {
		const struct registries_entry *entry = &conf->entries[i];

		if (registries_entry_match(entry, reference) && (!best || is_better(entry, best)))
			best = entry;
	}
	return best;
}

static const char *find_alias(const struct registries_conf *conf, const char *name, size_t len)
{
	for (size_t i = conf->alias_count; i-- > 0;) {
		if (strlen(conf->aliases[i].name) == len &&
		    !memcmp(conf->aliases[i].name, name, len))
			return conf->aliases[i].value;
	}
	return "";
}

/* The bytes of a name without its tag and digest. */
static size_t name_length(const char *text)
{
	size_t len = strcspn(text, "@");
	const char *colon = memrchr(text, ':', len), *slash = memrchr(text, '/', len);

	return colon && (!slash || colon > slash) ? (size_t)(colon - text) : len;
}

static bool is_short(const char *text)
{
	const char *slash = strchr(text, '/');

	return !strstr(text, "://") && strncmp(text, "oci:", 4) != 0 &&
	       !(slash && grammar_is_host(text, (size_t)(slash - text)));
}

static int check_alias(const char *name, size_t len, const char *value,
		       struct mkrootfs_error *error)
{
	const char *slash = strchr(value, '/');

	if (slash && grammar_is_host(value, (size_t)(slash - value)) &&
	    name_length(value) == strlen(value))
		return 0;
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "the alias '%.*s' is '%.200s', which is no HOST/NAME without a tag",
			 (int)len, name, value);
}

int registries_conf_resolve(struct buf *out, bool *alias, const struct registries_conf *conf,
			    const char *text, struct mkrootfs_error *error)
{
	size_t len = name_length(text);
	const char *value = is_short(text) ? find_alias(conf, text, len) : "";

	*alias = *value != '\0';
	if (!*alias)
		return buf_append_string(out, text, error);
	if (check_alias(text, len, value, error) < 0)
		return error->status;
	return buf_printf(out, error, "%s%s", value, text + len);
}
