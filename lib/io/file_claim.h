/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether others use a file: by the locks that they hold. QEMU locks the disks of a running machine
 * (of open file descriptions, fcntl), tools that make filesystems lock whole files (flock). And by
 * the host's loop devices, which lock nothing.
 *
 *	if (file_claim(fd, true) < 0)
 *		...		somebody does: EWOULDBLOCK
 *
 * The claim keeps them out in turn, and goes when fd is closed.
 */
#ifndef MKROOTFS_IO_FILE_CLAIM_H
#define MKROOTFS_IO_FILE_CLAIM_H

#include <stdbool.h>

/*
 * alone: nobody may have the file, even to read it; fd is open for writing. Else others may read,
 * but not write. Returns 0, or -1 with errno, which is EWOULDBLOCK when others have it. What a
 * filesystem cannot lock counts as not used.
 */
int file_claim(int fd, bool alone);

#endif
