/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_entry.h"

#include "../base/base64.h"

#include <stdlib.h>
#include <string.h>

int auth_entry_refuse(const struct auth_file *file, const char *key, const char *why,
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
		return auth_entry_refuse(file, key, "'auth' is no user:password in base64", error);
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
		return auth_entry_refuse(file, key, "what should be text is none", error);
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
		return auth_entry_refuse(file, key, "a token holds bytes that no token may hold",
					 error);
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

int auth_entry_take(struct credentials *out, const struct auth_file *file, const char *key,
		    struct mkrootfs_error *error)
{
	const struct jval *entry = jval_get(auth_file_entries(file), key);

	if (!jval_is_object(entry))
		return auth_entry_refuse(file, key, "the entry is no JSON object", error);
	if (take_token(&out->registry_token, file, key, "registrytoken", error) < 0 ||
	    take_token(&out->identity_token, file, key, "identitytoken", error) < 0 ||
	    take_names(out, file, key, error) < 0)
		return error->status;
	return credentials_known(out) ? copy_text(&out->source, file->path, error) : 0;
}

bool auth_entry_holds_something(const struct jval *entry)
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
