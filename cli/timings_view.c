/* SPDX-License-Identifier: Apache-2.0 */
#include "timings_view.h"

#include "image_view.h"

static void print_milliseconds(FILE *out, uint64_t nanoseconds)
{
	fprintf(out, " %8.1f", (double)nanoseconds / 1e6);
}

static void print_layer(FILE *out, const struct mkrootfs_image_layer *layer)
{
	const struct mkrootfs_layer_times *times = &layer->times;
	char digest[SHORT_DIGEST];

	fprintf(out, "%s", short_digest(digest, layer->diff_id));
	print_milliseconds(out, times->receive);
	print_milliseconds(out, times->hash);
	print_milliseconds(out, times->unpack);
	print_milliseconds(out, times->write);
	print_milliseconds(out, times->sync);
	print_milliseconds(out, times->wait);
	print_milliseconds(out, times->total);
	putc('\n', out);
}

void print_timings(FILE *out, const struct mkrootfs_image *image)
{
	size_t count = mkrootfs_image_layer_count(image);

	fprintf(out, "%-12s %8s %8s %8s %8s %8s %8s %8s  ms\n", "LAYER", "RECEIVE", "HASH",
		"UNPACK", "WRITE", "SYNC", "WAIT", "TOTAL");
	for (size_t i = 0; i < count; i++) {
		const struct mkrootfs_image_layer *layer = mkrootfs_image_layer(image, i);

		if (layer->times.total)
			print_layer(out, layer);
	}
}
