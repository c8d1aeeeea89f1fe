/* SPDX-License-Identifier: Apache-2.0 */
#include "progress_line.h"

#include <inttypes.h>
#include <stdlib.h>

#include "message.h"
#include "progress_view.h"

/* Milliseconds between two drawings. */
#define INTERVAL 100

#define CLEAR_TO_END_OF_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define COLOR_GREEN "\033[32m"
#define COLOR_DIM "\033[2m"
#define COLOR_RESET "\033[0m"

static const char *layer_color(const struct progress_layer *layer)
{
	switch (layer->state) {
	case LAYER_DONE:
		return COLOR_GREEN;
	case LAYER_WAITING:
	case LAYER_REUSED:
		return COLOR_DIM;
	default:
		return "";
	}
}

/*
 * To the start of the block. After a change of the window's size the terminal may have broken the
 * old lines anew, and nobody knows where they are: then a new block begins below them.
 */
static void go_to_start(struct progress *progress, FILE *frame)
{
	unsigned columns = progress->terminal.columns, rows = progress->terminal.rows;

	terminal_measure(&progress->terminal);
	if (columns == progress->terminal.columns && rows == progress->terminal.rows &&
	    progress->lines)
		fprintf(frame, "\r\033[%uA", progress->lines);
	progress->lines = 0;
}

/* One column stays free: some terminals wrap as soon as the last one is written. */
static unsigned usable_columns(const struct progress *progress)
{
	unsigned columns = progress->terminal.columns;

	return columns > PROGRESS_LINE ? PROGRESS_LINE - 1 : columns > 1 ? columns - 1 : 1;
}

static void put_line(struct progress *progress, FILE *frame, const char *line, const char *color)
{
	bool colored = progress->terminal.color && *color;

	fprintf(frame, "%s%.*s%s" CLEAR_TO_END_OF_LINE "\n", colored ? color : "",
		(int)usable_columns(progress), line, colored ? COLOR_RESET : "");
	progress->lines++;
}

static uint32_t first_unfinished(const struct progress *progress)
{
	uint32_t i = 0;

	while (i < progress->layer_count && (progress->layers[i].state == LAYER_DONE ||
					     progress->layers[i].state == LAYER_REUSED))
		i++;
	return i;
}

/* The layers that fit above the last line and the cursor, from the first that is not finished. */
static void put_layers(struct progress *progress, FILE *frame)
{
	uint32_t rows = progress->terminal.rows > 3 ? progress->terminal.rows - 2 : 1;
	uint32_t shown = progress->layer_count < rows ? progress->layer_count : rows;
	uint32_t start = first_unfinished(progress);

	if (start > progress->layer_count - shown)
		start = progress->layer_count - shown;
	for (uint32_t i = start; i < start + shown; i++) {
		char line[PROGRESS_LINE];

		progress_layer_line(line, progress, i, usable_columns(progress));
		put_line(progress, frame, line, layer_color(&progress->layers[i]));
	}
}

static FILE *begin_frame(struct progress *progress, char **text, size_t *size)
{
	FILE *frame = open_memstream(text, size);

	if (frame)
		go_to_start(progress, frame);
	return frame;
}

/* A frame is written at once, so that no half of it is seen. */
static void end_frame(struct progress *progress, FILE *frame, char **text, size_t *size)
{
	fputs(CLEAR_BELOW, frame);
	if (!fclose(frame))
		fwrite(*text, 1, *size, progress->out);
	free(*text);
	fflush(progress->out);
}

static void draw(struct progress *progress, const char *status, uint64_t now)
{
	char *text = NULL;
	size_t size;
	FILE *frame = begin_frame(progress, &text, &size);

	if (!frame)
		return;
	put_layers(progress, frame);
	put_line(progress, frame, status, "");
	end_frame(progress, frame, &text, &size);
	progress->shown = now;
}

static void erase(struct progress *progress)
{
	char *text = NULL;
	size_t size;
	FILE *frame = begin_frame(progress, &text, &size);

	if (frame)
		end_frame(progress, frame, &text, &size);
}

static bool is_due(const struct progress *progress, const struct mkrootfs_event *event,
		   uint64_t now)
{
	/* No event may follow for a while on these. */
	if (event->kind == MKROOTFS_EVENT_RESOLVED || event->kind == MKROOTFS_EVENT_MERGED)
		return true;
	if (event->kind != MKROOTFS_EVENT_LAYER_PROGRESS &&
	    progress->finished_count == progress->layer_count)
		return true;
	return now - progress->shown >= INTERVAL;
}

static void live_open(struct progress *progress)
{
	char status[PROGRESS_LINE];

	progress_status_line(status, progress, 0);
	draw(progress, status, 0);
}

static void live_event(struct progress *progress, const struct mkrootfs_event *event, uint64_t now)
{
	char status[PROGRESS_LINE];

	if (event->kind == MKROOTFS_EVENT_WARNING) {
		erase(progress);
		print_warning(progress->out, event->text ? event->text : "");
	}
	if (!is_due(progress, event, now))
		return;
	progress_status_line(status, progress, now);
	draw(progress, status, now);
}

static void live_close(struct progress *progress, bool succeeded, uint64_t now)
{
	char status[PROGRESS_LINE];

	if (!progress->layers) {
		erase(progress);
		return;
	}
	if (succeeded)
		progress_totals_line(status, progress, now);
	else
		snprintf(status, sizeof(status), "stopped with %" PRIu32 " of %" PRIu32 " layers",
			 progress->finished_count, progress->layer_count);
	draw(progress, status, now);
}

const struct progress_view progress_live = { live_open, live_event, live_close };
