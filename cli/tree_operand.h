/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operand IMAGE[:PATH]: a place in an image's root filesystem.
 *
 *	struct tree_operand place;
 *
 *	if (tree_operand_open(&place, store, word, &error) < 0)
 *		...
 *	mkrootfs_tree_list(place.tree, place.path, ...);
 *	tree_operand_close(&place);
 *
 * IMAGE is a path when it begins with "/", "./" or "../", of a file or an image folder; else the
 * name of an image in the store. Either may hold colons, so the longest IMAGE that opens counts:
 * first the whole word, then what stands before each ":/", from the right.
 */
#ifndef CLI_TREE_OPERAND_H
#define CLI_TREE_OPERAND_H

#include <mkrootfs.h>

struct tree_operand {
	struct mkrootfs_tree *tree;
	struct mkrootfs_image *image; /* NULL: not of a store */
	const char *path;	      /* in the word, or "/" */
};

/*
 * word is changed while it is tried, and is as before afterwards. store may be NULL where none is
 * known: only paths can be opened then. Returns a status of the library.
 */
int tree_operand_open(struct tree_operand *operand, const char *store, char *word,
		      struct mkrootfs_error *error);
void tree_operand_close(struct tree_operand *operand);

#endif
