/* SPDX-License-Identifier: Apache-2.0 */
#include "progress_view.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "message.h"
#include "progress_line.h"
#include "size.h"

/* A log gets a line now and then during a long layer: a sign of life, not a flood. Milliseconds. */
#define SIGN_OF_LIFE 10000

/* The tar of a root filesystem has no digest before it is read. */
static void begin_layer(const struct progress *progress, uint32_t index)
{
	const char *digest = progress->layers[index].digest;

	fprintf(progress->out, "layer %" PRIu32 "/%" PRIu32 "%s%s: ", index + 1,
		progress->layer_count, *digest ? " " : "", digest);
}

static void show_share(struct progress *progress, uint32_t index, uint64_t now)
{
	const struct progress_layer *layer = &progress->layers[index];
	char done[SIZE_TEXT], total[SIZE_TEXT];

	if (layer->state != LAYER_LOADING || now - progress->shown < SIGN_OF_LIFE)
		return;
	begin_layer(progress, index);
	if (layer->total)
		fprintf(progress->out, "%u%%, %s of %s\n", progress_percent(layer),
			size_format(done, layer->done), size_format(total, layer->total));
	else
		fprintf(progress->out, "%s\n", size_format(done, layer->done));
	progress->shown = now;
}

static void show_layer(struct progress *progress, const struct mkrootfs_event *event, uint64_t now)
{
	char size[SIZE_TEXT];

	if (event->layer_index >= progress->layer_count)
		return;
	if (event->kind == MKROOTFS_EVENT_LAYER_PROGRESS) {
		show_share(progress, event->layer_index, now);
		return;
	}
	begin_layer(progress, event->layer_index);
	if (event->kind == MKROOTFS_EVENT_LAYER_REUSED)
		fprintf(progress->out, "already in the store\n");
	else
		fprintf(progress->out, "done, %s\n", size_format(size, event->done));
	progress->shown = now;
}

static void show_resolved(struct progress *progress, const struct mkrootfs_event *event)
{
	fputs("resolved ", progress->out);
	print_escaped(progress->out, progress->subject, strlen(progress->subject));
	fprintf(progress->out, ": %s, %" PRIu32 " layer%s\n", event->digest ? event->digest : "",
		event->layer_count, event->layer_count == 1 ? "" : "s");
}

static void plain_event(struct progress *progress, const struct mkrootfs_event *event, uint64_t now)
{
	switch (event->kind) {
	case MKROOTFS_EVENT_RESOLVED:
		show_resolved(progress, event);
		progress->shown = now;
		break;
	case MKROOTFS_EVENT_LAYER_REUSED:
	case MKROOTFS_EVENT_LAYER_PROGRESS:
	case MKROOTFS_EVENT_LAYER_DONE:
		show_layer(progress, event, now);
		break;
	case MKROOTFS_EVENT_MERGED:
		fprintf(progress->out, "merged %" PRIu64 " inodes\n", event->done);
		break;
	case MKROOTFS_EVENT_WARNING:
		print_warning(progress->out, event->text ? event->text : "");
		break;
	default:
		break;
	}
}

/* Nothing to say yet: a log has no use for it. */
static void plain_open(struct progress *progress)
{
	(void)progress;
}

static void plain_close(struct progress *progress, bool succeeded, uint64_t now)
{
	char line[PROGRESS_LINE];

	if (!succeeded || !progress->layers)
		return;
	progress_totals_line(line, progress, now);
	fprintf(progress->out, "%s\n", line);
}

const struct progress_view progress_plain = { plain_open, plain_event, plain_close };
