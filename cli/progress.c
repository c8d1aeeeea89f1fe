/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "progress_view.h"

/* Hex digits of a digest that people compare. */
#define SHOWN_DIGITS 12

/* Where memory lacks, the pull goes on and is shown without its layers. */
static void resolve(struct progress *progress, const struct mkrootfs_event *event, uint64_t now)
{
	if (progress->layer_count == 0)
		progress->started = now;
	free(progress->layers);
	progress->layers = calloc((size_t)event->layer_count + 1, sizeof(*progress->layers));
	progress->layer_count = progress->layers ? event->layer_count : 0;
	progress->finished_count = progress->reused_count = 0;
}

static void keep_digest(struct progress_layer *layer, const char *digest)
{
	const char *colon = digest ? strchr(digest, ':') : NULL;

	if (colon)
		snprintf(layer->digest, sizeof(layer->digest), "%.*s",
			 (int)(colon + 1 - digest) + SHOWN_DIGITS, digest);
}

static void finish(struct progress *progress, struct progress_layer *layer, enum layer_state state)
{
	layer->state = state;
	progress->finished_count++;
	if (state == LAYER_REUSED)
		progress->reused_count++;
}

static void update_layer(struct progress *progress, const struct mkrootfs_event *event,
			 uint64_t now)
{
	struct progress_layer *layer;

	if (progress->layer_count == 0)
		resolve(progress, event, now); /* a tar: its layer is read before it is known */
	if (event->layer_index >= progress->layer_count)
		return;
	layer = &progress->layers[event->layer_index];
	if (layer->state == LAYER_DONE || layer->state == LAYER_REUSED)
		return;
	keep_digest(layer, event->digest);
	if (event->kind == MKROOTFS_EVENT_LAYER_PROGRESS) {
		layer->state = LAYER_LOADING;
		layer->done = event->done;
		layer->total = event->total;
	} else if (event->kind == MKROOTFS_EVENT_LAYER_REUSED) {
		finish(progress, layer, LAYER_REUSED);
	} else {
		layer->image_size = event->done;
		finish(progress, layer, LAYER_DONE);
	}
}

void progress_open(struct progress *progress, FILE *out, struct terminal terminal,
		   enum progress_mode mode, const char *subject)
{
	*progress = (struct progress){ .out = out, .terminal = terminal, .subject = subject };
	if (mode == PROGRESS_SHOWN)
		progress->view = terminal.live ? &progress_live : &progress_plain;
	if (progress->view)
		progress->view->open(progress);
}

void progress_event(struct progress *progress, const struct mkrootfs_event *event, uint64_t now)
{
	switch (event->kind) {
	case MKROOTFS_EVENT_RESOLVED:
		resolve(progress, event, now);
		break;
	case MKROOTFS_EVENT_LAYER_REUSED:
	case MKROOTFS_EVENT_LAYER_PROGRESS:
	case MKROOTFS_EVENT_LAYER_DONE:
		update_layer(progress, event, now);
		break;
	default:
		break;
	}
	if (progress->view)
		progress->view->event(progress, event, now);
	else if (event->kind == MKROOTFS_EVENT_WARNING)
		print_warning(progress->out, event->text ? event->text : "");
}

void progress_close(struct progress *progress, bool succeeded, uint64_t now)
{
	if (progress->view)
		progress->view->close(progress, succeeded, now);
	free(progress->layers);
	progress->layers = NULL;
	progress->layer_count = 0;
}
