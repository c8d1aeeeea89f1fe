/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading an image from end to end: hashes of the seal against the bytes, and the structure of the
 * metadata, whatever the seal says. Goes on behind a problem where it can.
 *
 *	struct erofs_verify_options options = { .problem = tell, .user = me };
 *	struct erofs_verify_result result;
 *
 *	erofs_verify(&result, reader, &options, error);		0, whatever it found
 *	if (result.problems > 0) ...
 *
 * What is read is one image, or a disk: fsmeta with the layer images behind it, in one file or in
 * several. Each of them has its seal.
 */
#ifndef MKROOTFS_EROFS_VERIFY_H
#define MKROOTFS_EROFS_VERIFY_H

#include "reader.h"

struct erofs_problem {
	const char *file; /* the file of the image that it is in; NULL: not one alone */
	const char *path; /* in the image, without a leading slash; NULL: not one file's */
	const char *text;
};

struct erofs_verify_options {
	/* Both may be NULL. Non-zero ends everything with CANCELLED. */
	int (*problem)(void *user, const struct erofs_problem *problem);
	int (*progress)(void *user, uint64_t bytes); /* bytes that were read since the last call */
	void *user;
	uint32_t max_nodes; /* names of the tree; 0: no limit */
	bool needs_seal;    /* an image without one is a problem */
	bool metadata_only; /* the reader has no file data */
};

struct erofs_verify_result {
	uint64_t problems; /* all, though only the first PROBLEMS_TOLD come to options->problem */
	uint64_t bytes;	   /* read and hashed */
	uint64_t inodes;
	uint32_t images;   /* those that the reader has in a row */
	uint32_t unsealed; /* of these, without a seal: file data could not be checked */
	uint64_t unread;   /* files in layouts that are not read: neither could they */
};

/* An image may be damaged all over. */
#define PROBLEMS_TOLD 1000u

/*
 * The superblock was checked when the reader was opened. Fails only where the check cannot go on:
 * IO, NO_MEMORY, CANCELLED, LIMIT.
 */
int erofs_verify(struct erofs_verify_result *result, struct erofs_reader *reader,
		 const struct erofs_verify_options *options, struct mkrootfs_error *error);

#endif
