/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The course of an export, or of what else writes one file: a line that is redrawn on a terminal,
 * nothing elsewhere.
 *
 *	export_view_open(&view, stderr, quiet);
 *	options.events = export_view_event, options.events_user = &view;	or by hand:
 *	snprintf(view.label, sizeof(view.label), "layer 1/3: ");	or nothing
 *	export_view_show(&view, done, total);		as often as one likes
 *	export_view_clear(&view);			before other lines, and at the end
 */
#ifndef CLI_EXPORT_VIEW_H
#define CLI_EXPORT_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <mkrootfs.h>

struct export_view {
	FILE *out;
	bool live;
	bool drawn;	/* a line stands there */
	uint64_t shown; /* milliseconds of the last drawing */
	char label[64]; /* in front of the numbers */
};

void export_view_open(struct export_view *view, FILE *out, bool quiet);
/* Bytes; a total that is 0 or less than done is not shown. */
void export_view_show(struct export_view *view, uint64_t done, uint64_t total);
/* Progress and warnings of a library call; user is the view. Cancels after a signal. */
int export_view_event(void *user, const struct mkrootfs_event *event);
void export_view_clear(struct export_view *view);

#endif
