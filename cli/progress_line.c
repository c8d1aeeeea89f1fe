/* SPDX-License-Identifier: Apache-2.0 */
#include "progress_line.h"

#include <inttypes.h>
#include <string.h>

#include "size.h"

/* Cells of a bar between its brackets. Below the minimum the figures stand alone. */
#define BAR_MIN 8
#define BAR_MAX 40

unsigned progress_percent(const struct progress_layer *layer)
{
	if (layer->done >= layer->total)
		return 100;
	return (unsigned)((double)layer->done * 100 / (double)layer->total);
}

static uint64_t fetched_bytes(const struct progress *progress)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < progress->layer_count; i++)
		sum += progress->layers[i].done;
	return sum;
}

/* "[=====>      ] ", or nothing when fewer than BAR_MIN cells fit into width. */
static void bar_format(char bar[BAR_MAX + 4], const struct progress_layer *layer, int width)
{
	int cells = width - 3 < BAR_MAX ? width - 3 : BAR_MAX;
	int filled = cells * (int)progress_percent(layer) / 100;

	bar[0] = '\0';
	if (cells < BAR_MIN)
		return;
	bar[0] = '[';
	memset(bar + 1, '=', (size_t)filled);
	memset(bar + 1 + filled, ' ', (size_t)(cells - filled));
	if (filled < cells)
		bar[1 + filled] = '>';
	memcpy(bar + 1 + cells, "] ", sizeof("] "));
}

/* width: columns for the text. */
static void loading_format(char *text, size_t size, const struct progress_layer *layer, int width)
{
	char done[SIZE_TEXT], total[SIZE_TEXT], figures[64], bar[BAR_MAX + 4];

	size_format(done, layer->done);
	if (!layer->total) {
		snprintf(text, size, "%s", done);
		return;
	}
	snprintf(figures, sizeof(figures), "%3u%% %10s of %10s", progress_percent(layer), done,
		 size_format(total, layer->total));
	bar_format(bar, layer, width - (int)strlen(figures));
	snprintf(text, size, "%s%s", bar, figures);
}

static const char *digest_hex(const struct progress_layer *layer)
{
	const char *colon = strchr(layer->digest, ':');

	return colon ? colon + 1 : layer->digest;
}

void progress_layer_line(char line[PROGRESS_LINE], const struct progress *progress, uint32_t index,
			 unsigned columns)
{
	const struct progress_layer *layer = &progress->layers[index];
	char count[16], size[SIZE_TEXT];
	int digits = snprintf(count, sizeof(count), "%" PRIu32, progress->layer_count);
	int used = snprintf(line, PROGRESS_LINE, "%*" PRIu32 "/%s %-12s ", digits, index + 1, count,
			    digest_hex(layer));
	char *text = line + used;
	size_t left = (size_t)(PROGRESS_LINE - used);

	if (layer->state == LAYER_LOADING)
		loading_format(text, left, layer, (int)columns - used);
	else if (layer->state == LAYER_DONE)
		snprintf(text, left, "done, %s", size_format(size, layer->image_size));
	else
		snprintf(text, left, "%s",
			 layer->state == LAYER_REUSED ? "already in the store" : "waiting");
}

static void rate_format(char *text, size_t size, const struct progress *progress, uint64_t now)
{
	char fetched[SIZE_TEXT], rate[SIZE_TEXT];
	uint64_t bytes = fetched_bytes(progress), elapsed = now - progress->started;

	/* The first moments say nothing about the speed. */
	size_format(fetched, bytes);
	if (elapsed < 500)
		snprintf(text, size, "%s fetched", fetched);
	else
		snprintf(text, size, "%s fetched, %s/s", fetched,
			 size_format(rate, (uint64_t)((double)bytes * 1000 / (double)elapsed)));
}

void progress_status_line(char line[PROGRESS_LINE], const struct progress *progress, uint64_t now)
{
	char rate[64];

	if (!progress->layers) {
		snprintf(line, PROGRESS_LINE, "resolving");
		return;
	}
	rate_format(rate, sizeof(rate), progress, now);
	if (progress->finished_count == progress->layer_count)
		snprintf(rate, sizeof(rate), "merging metadata");
	snprintf(line, PROGRESS_LINE, "%" PRIu32 " of %" PRIu32 " layers, %s",
		 progress->finished_count, progress->layer_count, rate);
}

void progress_totals_line(char line[PROGRESS_LINE], const struct progress *progress, uint64_t now)
{
	char size[SIZE_TEXT];
	uint64_t tenths = (now - progress->started) / 100;

	snprintf(line, PROGRESS_LINE,
		 "%" PRIu32 " layer%s, %" PRIu32 " reused, %s fetched in %" PRIu64 ".%" PRIu64 " s",
		 progress->layer_count, progress->layer_count == 1 ? "" : "s",
		 progress->reused_count, size_format(size, fetched_bytes(progress)), tenths / 10,
		 tenths % 10);
}
