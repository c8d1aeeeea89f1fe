/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that brings a file to the disk while it is still written. It waits and does no work:
 * what takes time is the disk's own cache, which only a sync empties, at the speed of the disk.
 *
 *	sync_ahead_start(&s, fd);
 *	sync_ahead_tell(s);			more is there
 *	os_errno = sync_ahead_stop(s);		before the last sync
 */
#ifndef MKROOTFS_IO_SYNC_AHEAD_H
#define MKROOTFS_IO_SYNC_AHEAD_H

struct sync_ahead;

/* NULL where there can be no thread. fd is borrowed. */
void sync_ahead_start(struct sync_ahead **out, int fd);
void sync_ahead_tell(struct sync_ahead *ahead);
/*
 * Ends the thread and frees ahead, which may be NULL. Returns 0, or the errno of a sync: the kernel
 * tells a failed write to one sync only.
 */
int sync_ahead_stop(struct sync_ahead *ahead);

#endif
