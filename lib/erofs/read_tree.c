/* SPDX-License-Identifier: Apache-2.0 */
/* From an image's metadata to a tree. */
#include "../base/buf.h"
#include "../base/bytes.h"
#include "../base/checked.h"
#include "../tree/chunk_map.h"
#include "dirent.h"
#include "inode.h"
#include "read_xattrs.h"
#include "reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Directories and files with several links: which inode of the tree a nid became. */
struct seen {
	struct intern nids;
	uint32_t *inodes; /* by number of nids */
	uint32_t room;
};

struct loader {
	struct erofs_reader *reader;
	struct tree *tree;
	struct seen seen;
	uint64_t *directory_nids; /* by inode of the tree; 0: no directory */
	uint32_t directory_room;
	uint32_t max_nodes;
	struct erofs_inode disk; /* the inode in work */
	uint64_t behind;	 /* byte of the image behind its inode and xattrs */
};

static int malformed(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", what);
}

static int check_range(const struct loader *l, uint64_t first_block, uint64_t blocks,
		       struct mkrootfs_error *error)
{
	uint64_t total = erofs_reader_superblock(l->reader)->blocks;

	if (first_block == 0 || first_block > total || blocks > total - first_block)
		return malformed(error, "file data lies outside the image");
	return 0;
}

static uint64_t blocks_of(uint64_t size)
{
	return size / EROFS_BLOCK_SIZE + (size % EROFS_BLOCK_SIZE != 0);
}

static int load_chunks(struct loader *l, struct tree_inode *inode, struct mkrootfs_error *error)
{
	uint32_t bits = l->disk.u & EROFS_CHUNK_FORMAT_BLKBITS_MASK;
	uint64_t blocks = blocks_of(l->disk.size), count = (blocks + (1ull << bits) - 1) >> bits;
	struct chunk_map *map;
	int status;

	if (l->disk.u & ~EROFS_CHUNK_FORMAT_BLKBITS_MASK)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "unknown chunk format");
	if (count > CHUNK_MAP_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "a file in too many chunks");
	status = chunk_map_new(l->tree, &inode->data, bits, (uint32_t)count, error);
	if (status < 0)
		return status;
	inode->flags |= TREE_CHUNKED;
	map = chunk_map_of(l->tree, inode);
	for (uint64_t i = 0; status == 0 && i < count; i++) {
		uint64_t left = blocks - (i << bits), whole = 1ull << bits;
		uint8_t bytes[EROFS_BLOCK_MAP_ENTRY_SIZE];

		status = erofs_reader_read(l->reader, l->behind + i * sizeof(bytes), bytes,
					   sizeof(bytes), error);
		map->address[i] = get_le32(bytes);
		if (status == 0 && map->address[i] != CHUNK_HOLE)
			status =
				check_range(l, map->address[i], left < whole ? left : whole, error);
	}
	return status;
}

static int load_file(struct loader *l, struct tree_inode *inode, struct mkrootfs_error *error)
{
	inode->size = l->disk.size;
	if (inode->size == 0)
		return 0;
	if (inode->size > INT64_MAX)
		return malformed(error, "a file's size is out of range");
	if (l->disk.layout == EROFS_INODE_CHUNK_BASED)
		return load_chunks(l, inode, error);
	if (l->disk.layout != EROFS_INODE_FLAT_PLAIN)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "a file's data stands among the metadata");
	inode->data = l->disk.u;
	return check_range(l, inode->data, blocks_of(inode->size), error);
}

/* Reads content of the metadata: whole blocks at i_u, an inline tail behind the inode. */
static int read_content(struct loader *l, uint64_t offset, void *out, size_t len,
			struct mkrootfs_error *error)
{
	uint64_t in_blocks = l->disk.layout == EROFS_INODE_FLAT_INLINE
				     ? l->disk.size / EROFS_BLOCK_SIZE * EROFS_BLOCK_SIZE
				     : l->disk.size;

	if (offset >= in_blocks)
		return erofs_reader_read(l->reader, l->behind + (offset - in_blocks), out, len,
					 error);
	return erofs_reader_read(l->reader, ((uint64_t)l->disk.u << EROFS_BLOCK_BITS) + offset, out,
				 len, error);
}

static int load_symlink(struct loader *l, struct tree_inode *inode, struct mkrootfs_error *error)
{
	char target[PATH_MAX];
	int status;

	if (l->disk.size == 0 || l->disk.size >= sizeof(target) ||
	    l->disk.layout == EROFS_INODE_CHUNK_BASED)
		return malformed(error, "a symbolic link's length is out of range");
	status = read_content(l, 0, target, (size_t)l->disk.size, error);
	if (status < 0)
		return status;
	if (memchr(target, '\0', (size_t)l->disk.size))
		return malformed(error, "a symbolic link's target holds a NUL");
	inode->size = l->disk.size;
	return tree_new_string(l->tree, &inode->data, target, (size_t)inode->size, error);
}

static int load_content(struct loader *l, struct tree_inode *inode, struct mkrootfs_error *error)
{
	uint32_t major, minor;

	switch (inode->mode & S_IFMT) {
	case S_IFREG:
		return load_file(l, inode, error);
	case S_IFLNK:
		return load_symlink(l, inode, error);
	case S_IFCHR:
	case S_IFBLK:
		erofs_device_decode(&major, &minor, l->disk.u);
		inode->data = tree_device(major, minor);
		return 0;
	case S_IFDIR:
	case S_IFIFO:
	case S_IFSOCK:
		return 0;
	default:
		return malformed(error, "an inode of unknown type");
	}
}

/* Reads the inode's head into l->disk and l->behind. */
static int load_head(struct loader *l, uint64_t nid, uint32_t *set, struct mkrootfs_error *error)
{
	const struct erofs_superblock *sb = erofs_reader_superblock(l->reader);
	uint8_t bytes[EROFS_INODE_EXTENDED_SIZE];
	uint64_t offset =
		((uint64_t)sb->meta_block << EROFS_BLOCK_BITS) + (nid << EROFS_ISLOT_BITS);
	uint32_t ibody;
	size_t len = sizeof(bytes);
	int status;

	if (nid > UINT32_MAX || offset >= erofs_reader_size(l->reader))
		return malformed(error, "an inode lies outside the image");
	if (erofs_reader_size(l->reader) - offset < len)
		len = EROFS_INODE_COMPACT_SIZE;
	status = erofs_reader_read(l->reader, offset, bytes, len, error);
	if (status == 0)
		status = erofs_inode_decode(&l->disk, bytes, len, error);
	if (status < 0)
		return status;
	ibody = erofs_xattr_ibody_size(l->disk.xattr_count);
	offset += erofs_inode_size(l->disk.extended);
	l->behind = offset + ibody;
	return erofs_read_xattrs(l->reader, &l->tree->xattrs, set, offset, ibody, error);
}

static int load_inode(struct loader *l, uint32_t *id, uint64_t nid, struct mkrootfs_error *error)
{
	const struct erofs_superblock *sb = erofs_reader_superblock(l->reader);
	struct tree_inode inode = { 0 };
	int status = load_head(l, nid, &inode.xattrs, error);

	inode.mode = l->disk.mode;
	inode.uid = l->disk.uid;
	inode.gid = l->disk.gid;
	inode.mtime = l->disk.extended ? l->disk.mtime : (int64_t)sb->epoch;
	inode.mtime_nsec = l->disk.extended ? l->disk.mtime_nsec : sb->epoch_nsec;
	if (status == 0 && inode.mtime_nsec > 999999999)
		status = malformed(error, "an inode's nanoseconds are out of range");
	if (status == 0)
		status = load_content(l, &inode, error);
	return status < 0 ? status : tree_new_inode(l->tree, id, &inode, error);
}

static int remember_directory(struct loader *l, uint32_t id, uint64_t nid,
			      struct mkrootfs_error *error)
{
	if (id >= l->directory_room) {
		uint32_t room = l->directory_room ? 2 * l->directory_room : 256;
		uint64_t *nids;

		while (room <= id)
			room *= 2;
		nids = realloc(l->directory_nids, room * sizeof(*nids));
		if (!nids)
			return error_no_memory(error);
		memset(nids + l->directory_room, 0, (room - l->directory_room) * sizeof(*nids));
		l->directory_nids = nids;
		l->directory_room = room;
	}
	l->directory_nids[id] = nid;
	return 0;
}

static int seen_grow(struct seen *seen, struct mkrootfs_error *error)
{
	uint32_t room = seen->room ? 2 * seen->room : 256;
	uint32_t *inodes;

	if (seen->nids.count < seen->room)
		return 0;
	inodes = realloc(seen->inodes, room * sizeof(*inodes));
	if (!inodes)
		return error_no_memory(error);
	seen->inodes = inodes;
	seen->room = room;
	return 0;
}

/* Finds out whether a nid that may have several names is known: *id is 0 when it is not. */
static int seen_find(struct loader *l, uint32_t *id, uint32_t *number, uint64_t nid,
		     struct mkrootfs_error *error)
{
	uint32_t before = l->seen.nids.count;
	int status = intern_add(&l->seen.nids, number, &nid, sizeof(nid), error);

	if (status == 0)
		status = seen_grow(&l->seen, error);
	*id = status == 0 && *number <= before ? l->seen.inodes[*number] : 0;
	return status;
}

/* The tree's inode for a nid, loaded at its first name. */
static int inode_for(struct loader *l, uint32_t *id, uint64_t nid, uint8_t file_type,
		     struct mkrootfs_error *error)
{
	uint32_t number;
	int status = seen_find(l, id, &number, nid, error);

	if (status == 0 && *id == 0) {
		status = load_inode(l, id, nid, error);
		if (status == 0)
			l->seen.inodes[number] = *id;
		if (status == 0 && S_ISDIR(l->disk.mode))
			status = remember_directory(l, *id, nid, error);
	} else if (status == 0 && S_ISDIR(l->tree->inodes[*id].mode)) {
		return malformed(error, "a directory has two names");
	}
	if (status == 0 && erofs_file_type(l->tree->inodes[*id].mode) != file_type)
		return malformed(error, "a directory entry's type is not its inode's");
	return status;
}

/* Names must ascend strictly, over block borders too. */
struct name_order {
	uint8_t last[EROFS_NAME_LEN];
	size_t last_len;
};

static int check_name(struct name_order *order, const uint8_t *name, size_t len,
		      struct mkrootfs_error *error)
{
	size_t shorter = len < order->last_len ? len : order->last_len;
	int compared;

	if (len == 0 || len > EROFS_NAME_LEN || memchr(name, '/', len) || memchr(name, '\0', len))
		return malformed(error, "a directory entry's name is not possible");
	compared = memcmp(order->last, name, shorter);
	if (compared > 0 || (compared == 0 && order->last_len >= len))
		return malformed(error, "a directory's names are out of order");
	memcpy(order->last, name, len);
	order->last_len = len;
	return 0;
}

static bool is_dot(const uint8_t *name, size_t len)
{
	return (len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.');
}

static int load_entry(struct loader *l, uint32_t directory, const uint8_t *dirent,
		      const uint8_t *name, size_t len, struct mkrootfs_error *error)
{
	uint32_t id, node;
	int status;

	if (is_dot(name, len))
		return 0;
	if (l->tree->node_count > l->max_nodes)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "the image has more than %u names",
				 l->max_nodes);
	status = inode_for(l, &id, get_le64(dirent), dirent[10], error);
	return status < 0 ? status
			  : tree_put(l->tree, &node, directory, (const char *)name, len, id, error);
}

static int load_block(struct loader *l, uint32_t directory, const uint8_t *block, size_t len,
		      struct name_order *order, struct mkrootfs_error *error)
{
	size_t name_at = len < EROFS_DIRENT_SIZE ? 0 : get_le16(block + 8);
	size_t count = name_at / EROFS_DIRENT_SIZE;
	int status = 0;

	if (count == 0 || name_at % EROFS_DIRENT_SIZE || name_at > len)
		return malformed(error, "a directory block is damaged");
	for (size_t i = 0; status == 0 && i < count; i++) {
		const uint8_t *dirent = block + i * EROFS_DIRENT_SIZE;
		size_t end = i + 1 < count ? get_le16(dirent + EROFS_DIRENT_SIZE + 8) : len;

		if (end < name_at || end > len)
			return malformed(error, "a directory block is damaged");
		if (i + 1 == count)
			end = name_at + strnlen((const char *)block + name_at, end - name_at);
		status = check_name(order, block + name_at, end - name_at, error);
		if (status == 0)
			status = load_entry(l, directory, dirent, block + name_at, end - name_at,
					    error);
		name_at = end;
	}
	return status;
}

static int load_directory(struct loader *l, uint32_t node, struct mkrootfs_error *error)
{
	uint64_t nid = l->directory_nids[l->tree->nodes[node].inode], size;
	struct name_order order = { .last_len = 0 };
	uint8_t block[EROFS_BLOCK_SIZE];
	uint32_t set;
	int status = load_head(l, nid, &set, error);
	struct erofs_inode disk = l->disk;
	uint64_t behind = l->behind;

	size = disk.size;
	if (status == 0 && (size == 0 || disk.layout == EROFS_INODE_CHUNK_BASED))
		status = malformed(error, "a directory without entries");
	for (uint64_t at = 0; status == 0 && at < size; at += EROFS_BLOCK_SIZE) {
		size_t len = size - at < EROFS_BLOCK_SIZE ? (size_t)(size - at) : EROFS_BLOCK_SIZE;

		/* Loading entries works on other inodes. */
		l->disk = disk;
		l->behind = behind;
		status = read_content(l, at, block, len, error);
		if (status == 0)
			status = load_block(l, node, block, len, &order, error);
	}
	return status;
}

/* The root's inode is there already; it takes the attributes of the one that was loaded. */
static int load_root(struct loader *l, struct mkrootfs_error *error)
{
	uint64_t nid = erofs_reader_superblock(l->reader)->root_nid;
	uint32_t id;
	int status = inode_for(l, &id, nid, EROFS_FT_DIR, error);

	if (status < 0)
		return status;
	l->tree->inodes[TREE_ROOT] = l->tree->inodes[id];
	return remember_directory(l, TREE_ROOT, nid, error);
}

/* Directories in the order of their nodes: children come behind their parents. */
static int load_all(struct loader *l, struct mkrootfs_error *error)
{
	int status = load_root(l, error);

	for (uint32_t node = TREE_ROOT; status == 0 && node < l->tree->node_count; node++) {
		if (!tree_is_directory(tree_inode_of(l->tree, node)))
			continue;
		status = load_directory(l, node, error);
		if (status < 0) {
			char path[512];

			tree_path(l->tree, node, path, sizeof(path));
			return error_prefix(error, "directory '/%s': ", path);
		}
	}
	return status < 0 ? status : tree_seal(l->tree, error);
}

int erofs_read_tree(struct tree **out, struct erofs_reader *reader, uint32_t max_nodes,
		    struct mkrootfs_error *error)
{
	struct loader l = { .reader = reader, .max_nodes = max_nodes };
	int status = tree_create(&l.tree, error);

	*out = NULL;
	if (status == 0)
		status = load_all(&l, error);
	intern_free(&l.seen.nids);
	free(l.seen.inodes);
	free(l.directory_nids);
	if (status < 0)
		tree_free(l.tree);
	else
		*out = l.tree;
	return status;
}
