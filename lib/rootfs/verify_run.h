/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a verification: who is told, and what was seen.
 *
 *	struct verify_run run;
 *	verify_run_begin(&run, &result, options);
 *	verify_layer_file(&run, path, &diff_id, error);
 *	verify_run_end(&run);
 */
#ifndef MKROOTFS_ROOTFS_VERIFY_RUN_H
#define MKROOTFS_ROOTFS_VERIFY_RUN_H

#include "../base/digest.h"
#include "../erofs/verify.h"
#include "events.h"

#include <sys/types.h>

/* A file that was read; it may come up again under another name, as hard links do. */
struct verified_file {
	dev_t device;
	ino_t inode;
	struct digest diff_id;
	bool damaged;
};

/* An image folder with problems, or one that has a damaged layer. */
struct damaged_folder {
	struct digest manifest;
	dev_t device;
	ino_t inode;
};

struct verify_run {
	struct mkrootfs_verify_result *result;
	const struct mkrootfs_verify_options *options;
	struct events events;
	const char *name; /* of what is verified at the moment; borrowed */
	uint64_t unheard; /* bytes since the caller was asked whether to go on */
	struct verified_file *files;
	size_t file_count, file_room;
	struct damaged_folder *folders;
	size_t folder_count, folder_room;
};

void verify_run_begin(struct verify_run *run, struct mkrootfs_verify_result *result,
		      const struct mkrootfs_verify_options *options);
void verify_run_end(struct verify_run *run);

/* Tells of a problem. Returns 0 or CANCELLED. */
int verify_run_tell(struct verify_run *run, const char *file, const char *path, const char *text,
		    struct mkrootfs_error *error);
/*
 * An error that says something about what is verified becomes a problem of file, and 0; others come
 * back: no memory, cancelled.
 */
int verify_run_soften(struct verify_run *run, const char *file, int status,
		      struct mkrootfs_error *error);
/* An event of what is verified. */
int verify_run_report(struct verify_run *run, enum mkrootfs_event_kind kind, const char *text,
		      uint64_t done, struct mkrootfs_error *error);

/* Reads an image with erofs_verify and tells of its problems. */
int verify_run_image(struct verify_run *run, struct erofs_reader *reader, bool needs_seal,
		     bool metadata_only, struct mkrootfs_error *error);
/* The image of a layer at path; each file is read once. */
int verify_layer_file(struct verify_run *run, const char *path, const struct digest *diff_id,
		      struct mkrootfs_error *error);
/* Whether the file was read already, under whatever name. */
bool verify_layer_known(const struct verify_run *run, const char *path,
			const struct digest *diff_id);
/* An image folder at directory. */
int verify_folder(struct verify_run *run, const char *directory, const struct digest *manifest,
		  const char *reference, struct mkrootfs_error *error);

#endif
