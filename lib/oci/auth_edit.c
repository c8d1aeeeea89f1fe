/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_edit.h"

#include "../base/secret.h"
#include "../io/file_sync.h"
#include "../io/temp_file.h"
#include "auth_file.h"
#include "auth_key.h"
#include "credentials.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct edit {
	char *path;   /* without symbolic links, where it exists */
	char *folder; /* of it */
	int lock;     /* the folder, locked */
	struct auth_file file;
};

/* ---- Opening ---- */

static int make_folders(const char *folder, struct mkrootfs_error *error)
{
	char *path = strdup(folder);
	int status = 0;

	if (!path)
		return error_no_memory(error);
	for (char *end = path; end && status == 0;) {
		end = strchr(end + 1, '/');
		if (end)
			*end = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			status = error_set_errno(error, errno, "make the folder '%.300s'", path);
		if (end)
			*end = '/';
	}
	free(path);
	return status;
}

static int set_paths(struct edit *edit, const char *path, struct mkrootfs_error *error)
{
	const char *slash;

	edit->path = realpath(path, NULL);
	if (!edit->path)
		edit->path = strdup(path);
	if (!edit->path)
		return error_no_memory(error);
	slash = strrchr(edit->path, '/');
	if (slash)
		edit->folder =
			strndup(edit->path, slash == edit->path ? 1 : (size_t)(slash - edit->path));
	else
		edit->folder = strdup(".");
	return edit->folder ? 0 : error_no_memory(error);
}

/* Where folders cannot be locked, two logins at once may lose one of them: nothing worse. */
static int lock_folder(struct edit *edit, struct mkrootfs_error *error)
{
	edit->lock = folder_open(edit->path);
	if (edit->lock < 0)
		return error_set_errno(error, errno, "open the folder '%.300s'", edit->folder);
	while (flock(edit->lock, LOCK_EX) < 0 && errno == EINTR)
		;
	return 0;
}

static int open_edit(struct edit *edit, const char *path, bool make, struct mkrootfs_error *error)
{
	int status;

	*edit = (struct edit){ .lock = -1 };
	status = set_paths(edit, path, error);
	if (status == 0 && make)
		status = make_folders(edit->folder, error);
	if (status == 0 && (make || access(edit->folder, F_OK) == 0))
		status = lock_folder(edit, error);
	if (status == 0)
		status = auth_file_load(&edit->file, edit->path, error);
	if (status == 0 && !edit->file.root && make) {
		edit->file.root = jval_new_object();
		status = edit->file.root ? 0 : error_no_memory(error);
	}
	return status;
}

static void close_edit(struct edit *edit)
{
	auth_file_unload(&edit->file);
	if (edit->lock >= 0)
		close(edit->lock);
	free(edit->path);
	free(edit->folder);
}

/* ---- Writing ---- */

static int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t done = write(fd, text, len);

		if (done < 0 && errno != EINTR)
			return -1;
		text += done > 0 ? done : 0;
		len -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* For the user alone from the start, and still that user's when root edits it. */
static int set_owner(int fd, const char *path)
{
	struct stat old;

	if (stat(path, &old) == 0 && (old.st_uid != geteuid() || old.st_gid != getegid()) &&
	    fchown(fd, old.st_uid, old.st_gid) < 0 && geteuid() == 0)
		return -1;
	return fchmod(fd, 0600);
}

static int publish(struct edit *edit, const char *text, struct mkrootfs_error *error)
{
	struct temp_file temp;
	int status;

	if (temp_file_open(&temp, edit->folder, false, error) < 0)
		return error->status;
	if (set_owner(temp.fd, edit->path) < 0 || write_all(temp.fd, text, strlen(text)) < 0 ||
	    write_all(temp.fd, "\n", 1) < 0 || file_sync(temp.fd) < 0)
		status = error_set_errno(error, errno, "write '%.300s'", edit->path);
	else
		status = temp_file_publish(&temp, edit->path, true, error);
	if (status == 0 && folder_sync(edit->lock) < 0)
		status = error_set_errno(error, errno, "sync '%.300s'", edit->folder);
	temp_file_close(&temp);
	return status;
}

static int save(struct edit *edit, struct mkrootfs_error *error)
{
	char *text;
	int status = jval_rewrite(&text, edit->file.root, error);

	if (status == 0)
		status = publish(edit, text, error);
	secret_free(text);
	return status;
}

/* ---- Entries ---- */

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

static int set(struct edit *edit, const char *key, const char *username, const char *password,
	       struct mkrootfs_error *error)
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

int auth_edit_set(const char *path, const char *key, const char *username, const char *password,
		  struct mkrootfs_error *error)
{
	struct edit edit;
	int status = open_edit(&edit, path, true, error);

	if (status == 0)
		status = set(&edit, key, username, password, error);
	if (status == 0)
		status = save(&edit, error);
	close_edit(&edit);
	return status < 0 ? error_prefix(error, "auth file: ") : 0;
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
	struct edit edit;
	int status = open_edit(&edit, path, false, error);

	*removed = status == 0 && edit.file.root && remove_entries(&edit.file, key);
	if (*removed)
		status = save(&edit, error);
	close_edit(&edit);
	return status < 0 ? error_prefix(error, "auth file: ") : 0;
}
