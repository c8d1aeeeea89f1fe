/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two ways to show a pull. progress.c keeps the state of the layers up to date and calls one of
 * them after each event.
 *
 *	progress->view = &progress_plain;
 *	progress->view->open(progress);
 *	progress->view->event(progress, event, now);
 *	progress->view->close(progress, succeeded, now);
 */
#ifndef CLI_PROGRESS_VIEW_H
#define CLI_PROGRESS_VIEW_H

#include "progress.h"

struct progress_view {
	void (*open)(struct progress *progress);
	void (*event)(struct progress *progress, const struct mkrootfs_event *event, uint64_t now);
	void (*close)(struct progress *progress, bool succeeded, uint64_t now);
};

/* One line for each thing that happened, for files and pipes. */
extern const struct progress_view progress_plain;
/* A block of lines redrawn in place, for terminals. */
extern const struct progress_view progress_live;

#endif
