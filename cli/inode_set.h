/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories that were listed: in a sound image each has one name, in a hostile one a directory
 * may hold itself, and a walk would not end.
 *
 *	struct inode_set seen = { 0 };
 *	if (inode_set_add(&seen, number) == 0) ...	it is there already
 *	inode_set_free(&seen);
 */
#ifndef CLI_INODE_SET_H
#define CLI_INODE_SET_H

#include <stddef.h>
#include <stdint.h>

struct inode_set {
	uint64_t *slots; /* numbers plus one; 0: free */
	size_t room, count;
};

/* 1: added, 0: it was there, -1: out of memory. */
int inode_set_add(struct inode_set *set, uint64_t number);
void inode_set_free(struct inode_set *set);

#endif
