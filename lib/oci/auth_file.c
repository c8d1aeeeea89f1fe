/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_file.h"

#include "../base/base64.h"
#include "../base/secret.h"
#include "../io/regular_file.h"
#include "../io/source.h"
#include "auth_key.h"

#include <errno.h>
#include <unistd.h>

#define FILE_MAX_SIZE (1u << 20) /* bytes */

/* ---- Reading ---- */

static int read_file(struct buf *out, const char *path, struct mkrootfs_error *error)
{
	struct source *source;
	int fd, status = regular_file_open(&fd, path, error);

	if (status < 0)
		return status;
	status = source_fd(&source, fd, error);
	if (status < 0) {
		close(fd);
		return status;
	}
	status = source_read_all(out, source, error);
	source_close(source);
	return status < 0 ? error_prefix(error, "'%.300s': ", path) : 0;
}

static bool is_blank(const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (data[i] != ' ' && data[i] != '\t' && data[i] != '\r' && data[i] != '\n')
			return false;
	return true;
}

int auth_file_parse(struct auth_file *out, const char *path, const void *data, size_t len,
		    struct mkrootfs_error *error)
{
	*out = (struct auth_file){ .path = path };
	/* Made by mktemp or touch for somebody to write to. */
	if (is_blank(data, len))
		return 0;
	if (jval_parse_secret(&out->root, data, len, error) < 0)
		return error_prefix(error, "auth file '%.300s': ", path);
	if (jval_is_object(out->root) && (jval_is_absent(jval_get(out->root, "auths")) ||
					  jval_is_object(jval_get(out->root, "auths"))))
		return 0;
	auth_file_unload(out);
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "auth file '%.300s': it, or 'auths' in it, is no JSON object", path);
}

int auth_file_load(struct auth_file *out, const char *path, struct mkrootfs_error *error)
{
	struct buf data = BUF_INIT(FILE_MAX_SIZE);
	int status = read_file(&data, path, error);

	*out = (struct auth_file){ .path = path };
	if (status == 0)
		status = auth_file_parse(out, path, data.data, data.len, error);
	else if (error->os_errno == ENOENT || error->os_errno == ENOTDIR)
		status = 0;
	else
		error_prefix(error, "auth file: ");
	buf_wipe(&data);
	return status;
}

void auth_file_unload(struct auth_file *file)
{
	jval_wipe(file->root);
	file->root = NULL;
}

struct jval *auth_file_entries(const struct auth_file *file)
{
	static const char *const new_form[] = { "auths", "credHelpers", "credsStore" };

	for (size_t i = 0; i < sizeof(new_form) / sizeof(new_form[0]); i++)
		if (jval_get(file->root, new_form[i]))
			return jval_edit(file->root, "auths");
	return file->root;
}

/* ---- An entry ---- */

static int refuse(const struct auth_file *file, const char *key, const char *why,
		  struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "auth file '%.300s': '%.200s': %s",
			 file->path, key, why);
}

static int copy_text(char **out, const char *text, struct mkrootfs_error *error)
{
	*out = strdup(text);
	return *out ? 0 : error_no_memory(error);
}

/* A line break may stand in base64 text that a tool wrapped. */
static size_t drop_line_breaks(char *text)
{
	size_t used = 0;

	for (const char *c = text; *c; c++)
		if (*c != '\n' && *c != '\r')
			text[used++] = *c;
	text[used] = '\0';
	return used;
}

/* Splits at the first colon: a password may hold more of them. NULs at its end are padding. */
static bool split_pair(struct credentials *out, char *pair, size_t len)
{
	char *colon = memchr(pair, ':', len);

	while (len > 0 && pair[len - 1] == '\0')
		len--;
	if (!colon || memchr(pair, '\0', len))
		return false;
	*colon = '\0';
	out->username = strdup(pair);
	out->password = strndup(colon + 1, len - (size_t)(colon + 1 - pair));
	return true;
}

/* "auth": user:password in base64. */
static int take_pair(struct credentials *out, const struct auth_file *file, const char *key,
		     const char *text, struct mkrootfs_error *error)
{
	char *pair = strdup(text);
	size_t len;
	bool good;

	if (!pair)
		return error_no_memory(error);
	len = drop_line_breaks(pair);
	good = base64_decode(pair, &len) && split_pair(out, pair, len);
	explicit_bzero(pair, strlen(text));
	free(pair);
	if (!good)
		return refuse(file, key, "'auth' is no user:password in base64", error);
	return out->username && out->password ? 0 : error_no_memory(error);
}

/* A member that is there must be a string; *out is NULL for an absent or empty one. */
static int get_text(const char **out, const struct auth_file *file, const char *key,
		    const char *name, struct mkrootfs_error *error)
{
	const struct jval *entries = auth_file_entries(file);
	const struct jval *value = jval_get(jval_get(entries, key), name);

	*out = jval_text(value);
	if (!*out && !jval_is_absent(value))
		return refuse(file, key, "what should be text is none", error);
	if (*out && !**out)
		*out = NULL;
	return 0;
}

static bool is_visible(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= 0x20 || (unsigned char)*text >= 0x7f)
			return false;
	return true;
}

static int take_token(char **out, const struct auth_file *file, const char *key, const char *name,
		      struct mkrootfs_error *error)
{
	const char *text;

	if (get_text(&text, file, key, name, error) < 0)
		return error->status;
	if (text && !is_visible(text))
		return refuse(file, key, "a token holds bytes that no token may hold", error);
	return text ? copy_text(out, text, error) : 0;
}

static int take_names(struct credentials *out, const struct auth_file *file, const char *key,
		      struct mkrootfs_error *error)
{
	const char *pair, *username, *password;

	if (get_text(&pair, file, key, "auth", error) < 0 ||
	    get_text(&username, file, key, "username", error) < 0 ||
	    get_text(&password, file, key, "password", error) < 0)
		return error->status;
	if (pair)
		return take_pair(out, file, key, pair, error);
	/* Some tools write them in the clear. */
	if (!username)
		return 0;
	if (copy_text(&out->username, username, error) < 0)
		return error->status;
	return copy_text(&out->password, password ? password : "", error);
}

static int take_entry(struct credentials *out, const struct auth_file *file, const char *key,
		      struct mkrootfs_error *error)
{
	const struct jval *entry = jval_get(auth_file_entries(file), key);

	if (!jval_is_object(entry))
		return refuse(file, key, "the entry is no JSON object", error);
	if (take_token(&out->registry_token, file, key, "registrytoken", error) < 0 ||
	    take_token(&out->identity_token, file, key, "identitytoken", error) < 0 ||
	    take_names(out, file, key, error) < 0)
		return error->status;
	return credentials_known(out) ? copy_text(&out->source, file->path, error) : 0;
}

/* Entries are empty where a helper keeps what they stand for. */
static bool holds_something(const struct jval *entry)
{
	static const char *const names[] = { "auth", "identitytoken", "registrytoken", "username" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct jval *value = jval_get(entry, names[i]);
		const char *text = jval_text(value);

		if (text ? *text != '\0' : !jval_is_absent(value))
			return true;
	}
	return !jval_is_object(entry) && !jval_is_absent(entry);
}

int auth_file_find(struct credentials *out, const struct auth_file *file, const char *registry,
		   const char *repository, struct mkrootfs_error *error)
{
	const struct jval *entries = auth_file_entries(file);
	const char *best = NULL, *key = NULL;
	unsigned highest = 0;

	while ((key = jval_next_key(entries, key))) {
		unsigned rank = auth_key_rank(key, registry, repository);

		if (rank > highest && holds_something(jval_get(entries, key))) {
			highest = rank;
			best = key;
		}
	}
	return best ? take_entry(out, file, best, error) : 0;
}

/* ---- Helpers ---- */

static int take_helper(const char **name, const struct auth_file *file, const struct jval *value,
		       const char *key, struct mkrootfs_error *error)
{
	*name = jval_text(value);
	if (!*name && !jval_is_absent(value))
		return refuse(file, key, "the name of a credential helper is no text", error);
	if (*name && !**name)
		*name = NULL;
	return 0;
}

int auth_file_helper(const char **name, const struct auth_file *file, const char *registry,
		     struct mkrootfs_error *error)
{
	const struct jval *helpers = jval_get(file->root, "credHelpers");
	const char *key = NULL, *best = NULL;
	unsigned highest = 0;

	*name = NULL;
	while ((key = jval_next_key(helpers, key))) {
		unsigned rank = auth_key_rank(key, registry, "");

		if (rank > highest) {
			highest = rank;
			best = key;
		}
	}
	return best ? take_helper(name, file, jval_get(helpers, best), best, error) : 0;
}

int auth_file_store(const char **name, const struct auth_file *file, struct mkrootfs_error *error)
{
	return take_helper(name, file, jval_get(file->root, "credsStore"), "credsStore", error);
}
