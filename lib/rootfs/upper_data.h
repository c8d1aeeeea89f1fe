/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the file data of an upper's content are: addresses, in blocks of 4 KiB, that count over all
 * files in the order of their adding, and behind them files of the host or one unnamed file.
 *
 *	struct upper_data data = { .folder = "/tmp" };
 *	upper_data_add_file(&data, &block, path, size, error);	a host file, opened when needed
 *	upper_data_begin(&data, &block, error);			one that comes in pieces
 *	upper_data_append(&data, offset, bytes, len, error);
 *	upper_data_end(&data, size, error);
 *	upper_data_find(&data, &place, address, error);		for struct ext4_contents
 *	upper_data_close(&data);
 */
#ifndef MKROOTFS_ROOTFS_UPPER_DATA_H
#define MKROOTFS_ROOTFS_UPPER_DATA_H

#include "../ext4/tree_writer.h"

struct upper_piece {
	uint64_t address; /* bytes, a multiple of a block */
	uint64_t size;	  /* bytes of the file */
	uint64_t offset;  /* in the unnamed file, where there is no path */
	char *path;
};

struct upper_data {
	const char *folder; /* for the unnamed file */
	struct upper_piece *pieces;
	size_t count, room;
	uint64_t end; /* the next address */
	int spool;    /* the unnamed file, when has_spool */
	bool has_spool;
	uint64_t spool_end; /* bytes */
	size_t opened;	    /* piece whose file is open, when fd is */
	int fd;
	bool has_fd;
};

int upper_data_add_file(struct upper_data *data, uint32_t *block, const char *path, uint64_t size,
			struct mkrootfs_error *error);
int upper_data_begin(struct upper_data *data, uint32_t *block, struct mkrootfs_error *error);
/* Offsets rise; what lies between is a hole of the unnamed file. */
int upper_data_append(struct upper_data *data, uint64_t offset, const void *bytes, size_t len,
		      struct mkrootfs_error *error);
int upper_data_end(struct upper_data *data, uint64_t size, struct mkrootfs_error *error);
int upper_data_find(void *user, struct ext4_place *place, uint64_t address,
		    struct mkrootfs_error *error);
void upper_data_close(struct upper_data *data);

#endif
