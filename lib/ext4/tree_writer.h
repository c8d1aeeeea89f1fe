/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a tree with the data of its files as an ext4 filesystem, writable and with a journal.
 *
 *	struct ext4_contents contents = { .find = find, .user = ..., .zero_padded = true };
 *
 *	tree_seal(tree, error);
 *	ext4_tree_measure(&needs, tree, error);			to choose options.size
 *	image_file_create(&file, folder, error);
 *	ext4_write_tree(file, tree, &contents, &options, error);
 *	image_file_commit(file, path, 0, error);
 *	image_file_close(file);
 *
 * The tree's root is the filesystem's. Whoever makes an upper gives a tree whose root holds upper/
 * and work/; lost+found is made by the writer, unless the root has a directory of that name.
 *
 * Where file data stand is said in the terms of the tree: tree_inode.data is the address of a
 * file's first block, in blocks of 4 KiB, or its chunk map says which addresses its chunks have
 * (TREE_CHUNKED: a file with holes, which stay holes). contents.find turns a byte address into a
 * descriptor and an offset there. Addresses need not mean anything else: of a disk they are the
 * disk's; who gathers files from several places numbers them as if they stood in a row, each
 * starting a block, and may find them at odd offsets, as in a tar.
 *
 * Data are copied in the order of their addresses, in runs over as many files as follow each other
 * there; so whoever has the choice gives adjacent addresses to adjacent data. Each file gets blocks
 * of its own, also of addresses that several files share.
 *
 * The same tree, bytes and options give the same image. Of each inode access, change, modification
 * and creation time are its mtime.
 */
#ifndef MKROOTFS_EXT4_TREE_WRITER_H
#define MKROOTFS_EXT4_TREE_WRITER_H

#include "../io/image_file.h"
#include "../tree/tree.h"
#include "options.h"

/* Where bytes stand, and how many of those behind them stand there in a row. */
struct ext4_place {
	int fd; /* a regular file, open for reading; stays the caller's, until the writer returns */
	uint64_t offset; /* bytes */
	uint64_t left;	 /* bytes, at least 1 */
};

struct ext4_contents {
	/* Where the byte at address is, a multiple of 4096 or inside a file's data. */
	int (*find)(void *user, struct ext4_place *place, uint64_t address,
		    struct mkrootfs_error *error);
	/*
	 * Bytes of file data that were written so far, now and then: 0 to go on. May be NULL, as
	 * warn, which takes what was changed because ext4 cannot hold it.
	 */
	int (*progress)(void *user, uint64_t done, struct mkrootfs_error *error);
	void (*warn)(void *user, const char *text);
	void *user;
	/*
	 * What follows a file's last byte, to the end of its block, are zeros that may be copied
	 * along, as in the images of this library. Else nothing behind a file is read.
	 */
	bool zero_padded;
};

/* What a tree takes, whatever the filesystem's size. */
struct ext4_needs {
	uint64_t blocks; /* of 4 KiB, of files, directories and their metadata; but for a few */
	uint64_t data;	 /* bytes of file data that are copied */
	uint32_t inodes; /* with the reserved ones and lost+found */
};
int ext4_tree_measure(struct ext4_needs *needs, const struct tree *tree,
		      struct mkrootfs_error *error);

/*
 * Writes into a fresh file, as ext4_write_upper. There are at least as many inodes as the tree
 * needs, whatever options.inode_ratio says. Too small a size is INVALID and says the least one, in
 * whole MiB. Fails with UNSUPPORTED on what ext4 cannot hold, naming the entry: more than 65,000
 * names of one file, more xattrs than fit a block. Times outside of 1901 to 2446 become the nearest
 * one inside, as in the kernel, with a warning.
 */
int ext4_write_tree(struct image_file *file, const struct tree *tree,
		    const struct ext4_contents *contents, const struct ext4_options *options,
		    struct mkrootfs_error *error);

#endif
