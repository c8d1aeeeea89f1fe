/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The status and the header lines of an HTTP response, collected line by line.
 *
 *	head_init(&head);
 *	while (!head.done)
 *		head_take_line(&head, line, len, error);
 *	head_values(&type, &head, "Content-Type", error);
 *	head_free(&head);
 */
#ifndef MKROOTFS_OCI_HEAD_H
#define MKROOTFS_OCI_HEAD_H

#include "../base/buf.h"

#include <stdbool.h>

#define HEAD_MAX_SIZE (64u << 10) /* bytes of all lines */

struct head {
	struct buf lines; /* each ended by a newline */
	int status;	  /* 0 before the first line */
	bool done;	  /* the empty line behind a final status came; later ones are trailers */
};

void head_init(struct head *head);
/* A line with its line end, not NUL-terminated. A status line begins a new head: 1xx ones pass. */
int head_take_line(struct head *head, const char *line, size_t len, struct mkrootfs_error *error);
/* Appends the values of all lines of that name, in any case, joined by ", "; none: nothing. */
int head_values(struct buf *out, const struct head *head, const char *name,
		struct mkrootfs_error *error);
void head_clear(struct head *head);
void head_free(struct head *head);

#endif
