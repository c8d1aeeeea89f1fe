/* SPDX-License-Identifier: Apache-2.0 */
/* The single steps that a runtime with a puller of its own calls; see mkrootfs.h. */
#ifndef MKROOTFS_ROOTFS_STEPS_H
#define MKROOTFS_ROOTFS_STEPS_H

#include <mkrootfs.h>

int step_layer(const char *path, char *diff_id, mkrootfs_read_fn read, void *user,
	       const struct mkrootfs_layer_options *options, struct mkrootfs_error *error);
int step_fsmeta(const char *path, const char *const *layers, size_t count,
		const struct mkrootfs_merge_options *options, struct mkrootfs_error *error);
int step_disk(const char *path, const char *const *files, size_t count, int replace,
	      struct mkrootfs_error *error);

#endif
