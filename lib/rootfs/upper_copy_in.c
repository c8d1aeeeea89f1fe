/* SPDX-License-Identifier: Apache-2.0 */
#include "host_inode.h"
#include "upper_content.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES (64u << 10)
#define DEPTH_MAX 1024u

/* Both grow and shrink with the walk through the host's folders. */
struct copy {
	struct upper_content *content;
	struct buf host, guest;
	unsigned depth;
};

static const char *host(const struct copy *c)
{
	return (const char *)c->host.data;
}

static const char *guest(const struct copy *c)
{
	return (const char *)c->guest.data;
}

static int put_new(struct copy *c, struct upper_walk *walk, uint32_t *id, const struct stat *st,
		   struct mkrootfs_error *error)
{
	struct tree_inode inode;

	if (host_inode_read(c->content, &inode, host(c), st, error) < 0)
		return error->status;
	return upper_content_put(c->content, walk, id, &inode, error);
}

static int put_file(struct copy *c, const struct stat *st, struct mkrootfs_error *error)
{
	uint32_t number = 0, id = 0;
	struct upper_walk walk;
	int status;

	if (S_ISSOCK(st->st_mode))
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "'%s' is a socket", host(c));
	if (st->st_nlink > 1 &&
	    host_links_find(&c->content->links, &number, &id,
			    (uint64_t)(uintptr_t)c->content->entry, st, error) < 0)
		return error->status;
	if (upper_walk(&walk, c->content->upper, guest(c), 0, error) < 0)
		return error->status;
	status = id ? upper_walk_put(&walk, id, error) : put_new(c, &walk, &id, st, error);
	if (status == 0 && number)
		c->content->links.inodes[number] = id;
	upper_walk_close(&walk);
	return status;
}

static int copy_any(struct copy *c, struct mkrootfs_error *error);

static int copy_child(struct copy *c, const char *name, struct mkrootfs_error *error)
{
	size_t host_len = c->host.len, guest_len = c->guest.len;
	int status = buf_printf(&c->host, error, "/%s", name);

	if (status == 0)
		status = buf_printf(&c->guest, error, "/%s", name);
	if (status == 0)
		status = copy_any(c, error);
	c->host.len = host_len;
	c->host.data[host_len] = '\0';
	c->guest.len = guest_len;
	c->guest.data[guest_len] = '\0';
	return status;
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* In the order of names, which the bytes of the image then do not owe to the host's filesystem. */
static int copy_children(struct copy *c, struct mkrootfs_error *error)
{
	struct dirent **entries;
	int count = scandir(host(c), &entries, is_entry, by_name), status = 0;

	if (count < 0)
		return error_set_errno(error, errno, "read the folder '%s'", host(c));
	for (int i = 0; i < count; i++) {
		if (status == 0)
			status = copy_child(c, entries[i]->d_name, error);
		free(entries[i]);
	}
	free(entries);
	return status;
}

/* Into one that is there, which keeps its attributes; else a new one with those of the host's. */
static int copy_folder(struct copy *c, const struct stat *st, struct mkrootfs_error *error)
{
	struct tree_inode inode;
	struct upper_walk walk;
	bool is_new;
	uint32_t node;
	int status;

	if (c->depth++ == DEPTH_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "'%s': more than %u folders", host(c),
				 DEPTH_MAX);
	if (events_report(c->content->events, MKROOTFS_EVENT_WAITING, 0, error) < 0)
		return error->status;
	if (host_inode_describe(c->content, &inode, host(c), st, error) < 0 ||
	    upper_walk(&walk, c->content->upper, guest(c), UPPER_FOLLOW, error) < 0)
		return error->status;
	is_new = walk.kind == UPPER_ABSENT;
	status = upper_walk_directory(&walk, &node, NULL, error);
	if (status == 0 && is_new)
		upper_content_set(c->content, node, &inode);
	upper_walk_close(&walk);
	if (status == 0)
		status = copy_children(c, error);
	c->depth--;
	return status;
}

static int copy_any(struct copy *c, struct mkrootfs_error *error)
{
	struct stat st;

	if (lstat(host(c), &st) < 0)
		return error_set_errno(error, errno, "'%s'", host(c));
	return S_ISDIR(st.st_mode) ? copy_folder(c, &st, error) : put_file(c, &st, error);
}

/* What cp would call it: the last component. */
static int append_name(struct copy *c, struct mkrootfs_error *error)
{
	const char *slash = strrchr(host(c), '/'), *name = slash ? slash + 1 : host(c);

	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return 0;
	return buf_printf(&c->guest, error, "/%s", name);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

/*
 * As docker cp: into a directory that is there, or that a slash at the end asks for, goes the
 * source with its name; but of "FOLDER/." what is in it. Else the path is the new name.
 */
static int choose_place(struct copy *c, struct mkrootfs_error *error)
{
	const struct mkrootfs_upper_entry *entry = c->content->entry;
	bool contents = ends_with(entry->source, "/.") || !strcmp(entry->source, ".");
	struct upper_walk walk;
	bool inside;

	if (upper_walk(&walk, c->content->upper, entry->path, UPPER_FOLLOW, error) < 0)
		return error->status;
	inside = ends_with(entry->path, "/") || (walk.kind != UPPER_ABSENT && S_ISDIR(walk.mode));
	upper_walk_close(&walk);
	return inside && !contents ? append_name(c, error) : 0;
}

static void strip_slashes(struct buf *path)
{
	while (path->len > 1 && path->data[path->len - 1] == '/')
		path->data[--path->len] = '\0';
}

int upper_copy_in(struct upper_content *content, struct mkrootfs_error *error)
{
	struct copy c = { .content = content,
			  .host = BUF_INIT(PATH_BYTES),
			  .guest = BUF_INIT(PATH_BYTES) };
	int status = buf_append_string(&c.host, content->entry->source, error);

	if (status == 0)
		status = buf_append_string(&c.guest, content->entry->path, error);
	if (status == 0) {
		strip_slashes(&c.host);
		status = choose_place(&c, error);
	}
	if (status == 0)
		status = copy_any(&c, error);
	buf_free(&c.host);
	buf_free(&c.guest);
	return status;
}
