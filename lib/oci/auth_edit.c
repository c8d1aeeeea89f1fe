/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_edit.h"

#include "../base/secret.h"
#include "auth_key.h"
#include "auth_rewrite.h"

#include <stdlib.h>
#include <string.h>

/* Reading says so by itself. */
static int name_file(struct mkrootfs_error *error)
{
	return strncmp(error->message, "auth file", 9) ? error_prefix(error, "auth file: ")
						       : error->status;
}

static bool is_old_form(const struct auth_file *file)
{
	const char *key = NULL;

	if (auth_file_entries(file) != file->root)
		return false;
	while ((key = jval_next_key(file->root, key)))
		if (jval_text(jval_get(jval_get(file->root, key), "auth")))
			return true;
	return false;
}

static int get_entries(struct jval **out, struct auth_file *file, struct mkrootfs_error *error)
{
	*out = NULL;
	if (is_old_form(file)) {
		*out = file->root;
		return 0;
	}
	if (jval_is_absent(jval_get(file->root, "auths")) &&
	    jval_put(file->root, "auths", jval_new_object(), error) < 0)
		return error->status;
	*out = jval_edit(file->root, "auths");
	return 0;
}

/* The key as it is spelled there: the very same, else another spelling of it, else NULL. */
static const char *find_key(const struct jval *entries, const char *wanted)
{
	const char *key = NULL, *other = NULL;

	if (jval_get(entries, wanted))
		return wanted;
	while ((key = jval_next_key(entries, key)) && !other)
		if (auth_key_equal(key, wanted))
			other = key;
	return other;
}

static int make_entry(struct jval **out, const char *username, const char *password,
		      struct mkrootfs_error *error)
{
	char *basic = NULL;
	int status = 0;

	*out = jval_new_object();
	if (!*out)
		return error_no_memory(error);
	if (username)
		status = credentials_basic(&basic, username, password, error);
	if (status == 0 && username)
		status = jval_put(*out, "auth", jval_new_text(strchr(basic, ' ') + 1), error);
	secret_free(basic);
	return status;
}

static int set(struct auth_rewrite *edit, const char *key, const char *username,
	       const char *password, struct mkrootfs_error *error)
{
	struct jval *entries, *entry;
	const char *spelled;
	int status = get_entries(&entries, &edit->file, error);

	if (status < 0)
		return status;
	spelled = find_key(entries, key);
	status = make_entry(&entry, username, password, error);
	if (status == 0)
		return jval_put(entries, spelled ? spelled : key, entry, error);
	jval_wipe(entry);
	return status;
}

int auth_edit_check(const char *path, struct mkrootfs_error *error)
{
	struct auth_rewrite edit;
	int status = auth_rewrite_open(&edit, path, true, error);

	if (status == 0)
		status = auth_rewrite_check(&edit, error);
	auth_rewrite_close(&edit);
	return status < 0 ? name_file(error) : 0;
}

int auth_edit_set(const char *path, const char *key, const char *username, const char *password,
		  struct mkrootfs_error *error)
{
	struct auth_rewrite edit;
	int status = auth_rewrite_open(&edit, path, true, error);

	if (status == 0)
		status = set(&edit, key, username, password, error);
	if (status == 0)
		status = auth_rewrite_save(&edit, error);
	auth_rewrite_close(&edit);
	return status < 0 ? name_file(error) : 0;
}

/* All spellings of a key, or all keys. */
static bool remove_entries(struct auth_file *file, const char *key)
{
	struct jval *entries = auth_file_entries(file);
	bool removed = false;
	const char *found;

	if (entries == file->root && !is_old_form(file))
		return false;
	while ((found = key ? find_key(entries, key) : jval_next_key(entries, NULL))) {
		/* The key goes with its member. */
		char *copy = strdup(found);

		if (!copy || !jval_remove(entries, copy)) {
			free(copy);
			break;
		}
		free(copy);
		removed = true;
	}
	return removed;
}

int auth_edit_remove(bool *removed, const char *path, const char *key, struct mkrootfs_error *error)
{
	struct auth_rewrite edit;
	int status = auth_rewrite_open(&edit, path, false, error);

	*removed = status == 0 && edit.file.root && remove_entries(&edit.file, key);
	if (*removed)
		status = auth_rewrite_save(&edit, error);
	auth_rewrite_close(&edit);
	return status < 0 ? name_file(error) : 0;
}
