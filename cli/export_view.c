/* SPDX-License-Identifier: Apache-2.0 */
#include "export_view.h"

#include <time.h>

#include "interrupt.h"
#include "message.h"
#include "size.h"
#include "terminal.h"

#define REDRAW 100 /* milliseconds between two drawings */

static uint64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void export_view_open(struct export_view *view, FILE *out, bool quiet)
{
	*view = (struct export_view){ .out = out, .live = !quiet && terminal_of(out).live };
}

void export_view_show(struct export_view *view, uint64_t done, uint64_t total)
{
	char done_text[SIZE_TEXT], total_text[SIZE_TEXT];
	uint64_t now;

	if (!view->live)
		return;
	now = milliseconds();
	if (view->drawn && now - view->shown < REDRAW)
		return;
	fprintf(view->out, "\r%s%s", view->label, size_format(done_text, done));
	if (total >= done && total > 0)
		fprintf(view->out, " of %s", size_format(total_text, total));
	fputs("\033[K", view->out);
	fflush(view->out);
	view->drawn = true;
	view->shown = now;
}

int export_view_event(void *user, const struct mkrootfs_event *event)
{
	struct export_view *view = user;

	if (event->kind == MKROOTFS_EVENT_LAYER_PROGRESS ||
	    event->kind == MKROOTFS_EVENT_EXPORT_PROGRESS)
		export_view_show(view, event->done, event->total);
	if (event->kind == MKROOTFS_EVENT_WARNING) {
		export_view_clear(view);
		print_warning(view->out, event->text);
	}
	return interrupt_signal() != 0;
}

void export_view_clear(struct export_view *view)
{
	if (view->drawn)
		fputs("\r\033[K", view->out);
	view->drawn = false;
}
