/* SPDX-License-Identifier: Apache-2.0 */
#include "file_index.h"

#include "../base/array.h"
#include "../base/intern.h"
#include "../base/path.h"
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 1024u	      /* components of a member's name */
#define SHOWN_NAME_MAX 200    /* bytes of a name in a message */
#define NAME_CAP (128u << 10) /* bytes of a name with a link's target behind it */

enum member_kind {
	MEMBER_NONE, /* a name that only a link gives */
	MEMBER_FILE,
	MEMBER_LINK,
	MEMBER_OTHER, /* a directory, a device */
	MEMBER_SPARSE,
	MEMBER_TWICE,
};

struct member {
	enum member_kind kind;
	uint32_t target; /* of a link: the number of a name */
	uint64_t offset; /* in the archive */
	uint64_t size;
};

/* Members by the number of their name, from 1. */
struct tar_set {
	struct file_set set;
	int fd;
	struct intern names;
	struct member *members;
	size_t room;
	uint64_t name_bytes;
};

/* ---- Building ---- */

static int make_room(struct tar_set *tar, uint32_t number, struct mkrootfs_error *error)
{
	size_t before = tar->room;
	int status = array_reserve(&tar->members, &tar->room, number, sizeof(*tar->members), error);

	if (tar->room > before)
		memset(tar->members + before, 0, (tar->room - before) * sizeof(*tar->members));
	return status;
}

/* Numbers grow by one, so that room for one more is always enough. */
static int add_name(struct tar_set *tar, uint32_t *number, const struct buf *name,
		    struct mkrootfs_error *error)
{
	uint32_t known = intern_find(&tar->names, name->data, name->len);

	*number = known;
	if (known)
		return 0;
	tar->name_bytes += name->len;
	if (tar->name_bytes > TAR_INDEX_MAX_NAMES)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "the names in it have more than %u bytes", TAR_INDEX_MAX_NAMES);
	if (intern_add(&tar->names, number, name->data, name->len, error) < 0)
		return error->status;
	return make_room(tar, *number, error);
}

/* Where a link leads, as a name of the archive: of a symbolic link seen from its folder. */
static int normal_target(struct buf *out, const struct buf *name, const struct tar_entry *entry,
			 struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(NAME_CAP);
	const char *slash = strrchr((const char *)name->data, '/');
	bool beside = entry->type == TAR_SYMLINK && slash && entry->link[0] != '/';
	int status = 0;

	if (beside)
		status = buf_append(&text, name->data,
				    (size_t)(slash - (const char *)name->data) + 1, error);
	if (status == 0)
		status = buf_append(&text, entry->link, entry->link_len, error);
	if (status == 0)
		status = path_normalise(out, (char *)text.data, text.len, MAX_DEPTH, error);
	buf_free(&text);
	return status;
}

/* A link that leads out of the archive leads nowhere: it may be one that nobody asks for. */
static int add_target(struct tar_set *tar, struct member *member, const struct buf *name,
		      const struct tar_entry *entry, struct mkrootfs_error *error)
{
	struct buf target = BUF_INIT(NAME_CAP);
	int status = normal_target(&target, name, entry, error);

	if (status == 0)
		status = add_name(tar, &member->target, &target, error);
	else if (status != MKROOTFS_ERROR_NO_MEMORY)
		status = 0;
	buf_free(&target);
	return status;
}

static int describe(struct tar_set *tar, struct member *member, const struct buf *name,
		    const struct tar_entry *entry, uint64_t offset, struct mkrootfs_error *error)
{
	*member = (struct member){ .kind = MEMBER_OTHER };
	if (entry->type == TAR_HARDLINK || entry->type == TAR_SYMLINK) {
		member->kind = MEMBER_LINK;
		return add_target(tar, member, name, entry, error);
	}
	if (entry->type == TAR_FILE) {
		member->kind = entry->sparse ? MEMBER_SPARSE : MEMBER_FILE;
		member->offset = offset;
		member->size = entry->size;
	}
	return 0;
}

static int add_member(struct tar_set *tar, const struct tar_entry *entry, uint64_t offset,
		      struct mkrootfs_error *error)
{
	struct buf name = BUF_INIT(NAME_CAP);
	struct member member;
	uint32_t number;
	int status = path_normalise(&name, entry->path, entry->path_len, MAX_DEPTH, error);

	if (status == 0)
		status = describe(tar, &member, &name, entry, offset, error);
	if (status == 0)
		status = add_name(tar, &number, &name, error);
	if (status == 0 && tar->members[number].kind == MEMBER_NONE)
		tar->members[number] = member;
	else if (status == 0 &&
		 !(member.kind == MEMBER_OTHER && tar->members[number].kind == MEMBER_OTHER))
		tar->members[number].kind = MEMBER_TWICE;
	buf_free(&name);
	return status < 0 ? error_prefix(error, "tar entry '%.*s': ", SHOWN_NAME_MAX, entry->path)
			  : 0;
}

static int too_many(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_LIMIT,
			 "it has more than %u members, more than any archive of images",
			 TAR_INDEX_MAX_FILES);
}

static int read_members(struct tar_set *tar, struct source *source, struct mkrootfs_error *error)
{
	const struct tar_entry *entry;
	struct tar_reader *reader;
	uint32_t count = 0;
	int status = tar_reader_create(&reader, source, NULL, error);

	if (status < 0)
		return status;
	while ((status = tar_reader_next(reader, &entry, error)) > 0) {
		status = ++count > TAR_INDEX_MAX_FILES
				 ? too_many(error)
				 : add_member(tar, entry, tar_reader_position(reader), error);
		if (status < 0)
			break;
	}
	tar_reader_close(reader);
	return status;
}

static int read_headers(struct tar_set *tar, struct mkrootfs_error *error)
{
	struct source *source;
	struct stat st;
	int status;

	if (fstat(tar->fd, &st) < 0)
		return error_set_errno(error, errno, "stat the file");
	status = source_range(&source, tar->fd, 0, (uint64_t)st.st_size, error);
	if (status < 0)
		return status;
	status = read_members(tar, source, error);
	source_close(source);
	return status;
}

/* ---- Reading ---- */

static int refuse(const char *name, const char *why, struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "'%s' %s", name, why);
}

static int find(const struct member **out, const struct tar_set *tar, const char *name,
		struct mkrootfs_error *error)
{
	uint32_t number = intern_find(&tar->names, name, strlen(name));

	for (unsigned links = 0; number; links++) {
		*out = &tar->members[number];
		if ((*out)->kind != MEMBER_LINK)
			break;
		if (links == TAR_INDEX_MAX_LINKS)
			return refuse(name, "is a link that leads through too many others", error);
		number = (*out)->target;
	}
	if (number && (*out)->kind != MEMBER_NONE)
		return 0;
	return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "there is no '%s' in it", name);
}

static int tar_set_open(struct file_set *set, struct source **out, uint64_t *size, const char *name,
			uint64_t offset, struct mkrootfs_error *error)
{
	const struct tar_set *tar = (struct tar_set *)set;
	const struct member *member = NULL;

	if (find(&member, tar, name, error) < 0)
		return error->status;
	if (member->kind == MEMBER_TWICE)
		return refuse(name, "stands in the archive twice", error);
	if (member->kind == MEMBER_SPARSE)
		return refuse(name, "is stored with holes", error);
	if (member->kind != MEMBER_FILE)
		return refuse(name, "is no regular file", error);
	*size = member->size;
	if (offset > member->size)
		offset = member->size;
	return source_range(out, tar->fd, member->offset + offset, member->size - offset, error);
}

static void free_all(struct tar_set *tar)
{
	intern_free(&tar->names);
	free(tar->members);
	free(tar);
}

static void tar_set_close(struct file_set *set)
{
	struct tar_set *tar = (struct tar_set *)set;

	close(tar->fd);
	free_all(tar);
}

static const struct file_set_ops tar_set_ops = { tar_set_open, tar_set_close };

int file_set_tar(struct file_set **out, int fd, struct mkrootfs_error *error)
{
	struct tar_set *tar = calloc(1, sizeof(*tar));

	*out = NULL;
	if (!tar)
		return error_no_memory(error);
	tar->set.ops = &tar_set_ops;
	tar->set.is_archive = true;
	tar->fd = fd;
	if (read_headers(tar, error) < 0) {
		free_all(tar);
		return error->status;
	}
	*out = &tar->set;
	return 0;
}
