/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the fake library that reads a root filesystem: a small fixed one, with names and
 * values that need care. Opens what opens says, and nothing else.
 *
 *	fake_tree.opens = "./disk.vmdk";
 */
#ifndef TESTS_CLI_FAKE_TREE_H
#define TESTS_CLI_FAKE_TREE_H

#include <string.h>
#include <sys/stat.h>

#include <mkrootfs.h>

struct fake_tree {
	const char *opens; /* the one path that can be opened */
	char tried[512];   /* all that were tried, a space behind each */
	int loop;	   /* the directory "sub" holds itself */
	unsigned open;	   /* trees that were not closed */
};
static struct fake_tree fake_tree;

static const struct fake_file {
	const char *path;
	struct mkrootfs_stat stat;
	const char *target, *content;
} fake_files[] = {
	{ "/", { .inode = 1, .mode = S_IFDIR | 0755, .links = 3, .size = 40 }, NULL, NULL },
	{ "/a\n\xff",
	  { .inode = 2,
	    .mode = S_IFREG | 04755,
	    .links = 1,
	    .uid = 7,
	    .gid = 4294967295u,
	    .size = 5,
	    .mtime = 1700000000,
	    .mtime_nsec = 5,
	    .data_file = "/s/i/0.erofs",
	    .data_offset = 4096 },
	  NULL,
	  "h\0\xff\ni" },
	{ "/gone", { .inode = 3, .mode = S_IFCHR, .links = 1, .mtime = -1 }, NULL, NULL },
	{ "/l",
	  { .inode = 4, .mode = S_IFLNK | 0777, .links = 1, .size = 3, .mtime = INT64_MAX },
	  "sub",
	  NULL },
	{ "/sub", { .inode = 5, .mode = S_IFDIR | 01777, .links = 2, .size = 27 }, NULL, NULL },
	{ "/sub/tty",
	  { .inode = 6, .mode = S_IFBLK | 0620, .links = 1, .device_major = 4, .device_minor = 65 },
	  NULL,
	  NULL },
};
#define FAKE_FILES (sizeof(fake_files) / sizeof(fake_files[0]))

struct mkrootfs_tree {
	int unused;
};
struct mkrootfs_file {
	const struct fake_file *file;
};

static int fake_error(struct mkrootfs_error *error, int status, const char *message)
{
	*error = (struct mkrootfs_error){ .status = status };
	strcpy(error->message, message);
	return status;
}

int mkrootfs_tree_open(struct mkrootfs_tree **tree, const char *path, struct mkrootfs_error *error)
{
	static struct mkrootfs_tree the_tree;

	strcat(strcat(fake_tree.tried, path), " ");
	*tree = NULL;
	if (!fake_tree.opens || strcmp(path, fake_tree.opens) != 0)
		return fake_error(error, MKROOTFS_ERROR_NOT_FOUND, path);
	*tree = &the_tree;
	fake_tree.open++;
	return 0;
}

int mkrootfs_tree_open_image(struct mkrootfs_tree **tree, const struct mkrootfs_image *image,
			     struct mkrootfs_error *error)
{
	assert_non_null(image);
	fake_tree.opens = "(image)";
	return mkrootfs_tree_open(tree, "(image)", error);
}

void mkrootfs_tree_close(struct mkrootfs_tree *tree)
{
	fake_tree.open -= tree != NULL;
}

static const struct fake_file *fake_find(const char *path, unsigned flags)
{
	for (size_t i = 0; i < FAKE_FILES; i++) {
		const struct fake_file *file = &fake_files[i];

		if (strcmp(file->path, path) != 0)
			continue;
		return file->target && !(flags & MKROOTFS_NO_FOLLOW) ? &fake_files[4] : file;
	}
	return NULL;
}

int mkrootfs_tree_stat(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
		       const char *path, unsigned flags, struct mkrootfs_error *error)
{
	const struct fake_file *file = fake_find(path, flags);

	assert_non_null(tree);
	if (!file)
		return fake_error(error, MKROOTFS_ERROR_NOT_FOUND, "no such file");
	*stat = file->stat;
	return 0;
}

int mkrootfs_tree_readlink(char target[MKROOTFS_LINK_SIZE], const struct mkrootfs_tree *tree,
			   const char *path, struct mkrootfs_error *error)
{
	(void)tree;
	(void)error;
	strcpy(target, fake_find(path, MKROOTFS_NO_FOLLOW)->target);
	return 0;
}

int mkrootfs_tree_list(const struct mkrootfs_tree *tree, const char *path, mkrootfs_entry_fn fn,
		       void *user, struct mkrootfs_error *error)
{
	size_t length = strcmp(path, "/") == 0 ? 0 : strlen(path);

	(void)tree;
	if (!strcmp(path, "/l"))
		path = "/sub", length = 4;
	for (size_t i = 1; i < FAKE_FILES; i++) {
		const struct fake_file *file = &fake_files[i];
		struct mkrootfs_entry entry = { file->path + length + 1, file->stat, file->target };

		if (strncmp(file->path, path, length) != 0 || file->path[length] != '/' ||
		    strchr(entry.name, '/'))
			continue;
		if (fake_tree.loop && length > 0)
			entry.stat = fake_files[4].stat;
		if (fn(user, &entry) != 0)
			return fake_error(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	}
	return 0;
}

int mkrootfs_tree_xattrs(const struct mkrootfs_tree *tree, const char *path, unsigned flags,
			 mkrootfs_xattr_fn fn, void *user, struct mkrootfs_error *error)
{
	(void)tree;
	(void)error;
	assert_int_equal(flags, MKROOTFS_NO_FOLLOW);
	if (strcmp(path, "/a\n\xff") == 0) {
		fn(user, "security.capability", "\1\0\0\2", 4);
		fn(user, "user.\xfe", "caf\xc3\xa9 \"x\"", 9);
		fn(user, "user.empty", "", 0);
	}
	return 0;
}

int mkrootfs_file_open(struct mkrootfs_file **file, const struct mkrootfs_tree *tree,
		       const char *path, struct mkrootfs_error *error)
{
	static struct mkrootfs_file the_file;

	(void)tree;
	the_file.file = fake_find(path, 0);
	*file = NULL;
	if (!the_file.file || !the_file.file->content)
		return fake_error(error, MKROOTFS_ERROR_NOT_FOUND, "no such file");
	*file = &the_file;
	return 0;
}

int mkrootfs_file_read(size_t *got, const struct mkrootfs_file *file, uint64_t offset, void *buffer,
		       size_t size, struct mkrootfs_error *error)
{
	size_t left = (size_t)(file->file->stat.size - offset);

	(void)error;
	*got = left < size ? left : size;
	memcpy(buffer, file->file->content + offset, *got);
	return 0;
}

void mkrootfs_file_close(struct mkrootfs_file *file)
{
	assert_non_null(file);
}

int mkrootfs_tree_verify(struct mkrootfs_verify_result *result, const struct mkrootfs_tree *tree,
			 const struct mkrootfs_verify_options *options,
			 struct mkrootfs_error *error)
{
	assert_non_null(tree);
	(void)options;
	(void)error;
	*result = (struct mkrootfs_verify_result){ .images = 1, .unsealed = 1 };
	return 0;
}

#endif
