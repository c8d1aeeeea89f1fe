/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The course of a pull, shown as bars on a terminal and as plain lines elsewhere.
 *
 *	struct terminal terminal = terminal_of(stderr);
 *	struct progress progress;
 *
 *	progress_open(&progress, stderr, terminal, PROGRESS_SHOWN, "python:3.12");
 *	for each event of the library:
 *		progress_event(&progress, event, milliseconds);
 *	progress_close(&progress, succeeded, milliseconds);
 *
 * Times are milliseconds of one clock that never goes back.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <mkrootfs.h>

#include "terminal.h"

enum progress_mode {
	PROGRESS_SHOWN,
	PROGRESS_QUIET, /* warnings only */
};

enum layer_state {
	LAYER_WAITING,
	LAYER_LOADING,
	LAYER_DONE,
	LAYER_REUSED,
};

struct progress_layer {
	char digest[32]; /* shortened: "sha256:0123456789ab" */
	enum layer_state state;
	uint64_t done, total; /* bytes of the blob; total is 0 when unknown */
	uint64_t image_size;  /* bytes of the layer image, once done */
};

struct progress {
	const struct progress_view *view; /* NULL: quiet */
	FILE *out;
	struct terminal terminal;
	const char *subject;
	struct progress_layer *layers; /* NULL before the image is resolved */
	uint32_t layer_count, finished_count, reused_count;
	uint64_t started, shown; /* times of the resolving, and of the last line or drawing */
	unsigned lines;		 /* of the block that stands on the terminal */
};

/* subject, borrowed until progress_close, is what is pulled. */
void progress_open(struct progress *progress, FILE *out, struct terminal terminal,
		   enum progress_mode mode, const char *subject);
void progress_event(struct progress *progress, const struct mkrootfs_event *event, uint64_t now);
/* Leaves the cursor on an empty line, and a line of totals after a success. */
void progress_close(struct progress *progress, bool succeeded, uint64_t now);

#endif
