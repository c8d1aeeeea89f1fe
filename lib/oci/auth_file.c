/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_file.h"

#include "../io/regular_file.h"
#include "../io/source.h"
#include "auth_entry.h"
#include "auth_key.h"

#include <errno.h>
#include <unistd.h>

#define FILE_MAX_SIZE (1u << 20) /* bytes */

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

int auth_file_find(struct credentials *out, const struct auth_file *file, const char *registry,
		   const char *repository, struct mkrootfs_error *error)
{
	const struct jval *entries = auth_file_entries(file);
	const char *best = NULL, *key = NULL;
	unsigned highest = 0;

	while ((key = jval_next_key(entries, key))) {
		unsigned rank = auth_key_rank(key, registry, repository);

		if (rank > highest && auth_entry_holds_something(jval_get(entries, key))) {
			highest = rank;
			best = key;
		}
	}
	return best ? auth_entry_take(out, file, best, error) : 0;
}

static int take_helper(const char **name, const struct auth_file *file, const struct jval *value,
		       const char *key, struct mkrootfs_error *error)
{
	*name = jval_text(value);
	if (!*name && !jval_is_absent(value))
		return auth_entry_refuse(file, key, "the name of a credential helper is no text",
					 error);
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
