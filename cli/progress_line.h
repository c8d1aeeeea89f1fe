/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines that show a pull, without colour and line end.
 *
 *	char line[PROGRESS_LINE];
 *
 *	progress_layer_line(line, progress, 0, 79);
 *	progress_status_line(line, progress, now);
 *	progress_totals_line(line, progress, now);
 */
#ifndef CLI_PROGRESS_LINE_H
#define CLI_PROGRESS_LINE_H

#include "progress.h"

/* Bytes of the longest line, with the NUL. */
#define PROGRESS_LINE 256

/* " 3/12 0123456789ab [====>    ]  45%   12.3 MiB of   27.1 MiB", with a bar as columns allow. */
void progress_layer_line(char line[PROGRESS_LINE], const struct progress *progress, uint32_t index,
			 unsigned columns);
/* "3 of 12 layers, 123.4 MiB fetched, 45.2 MiB/s" */
void progress_status_line(char line[PROGRESS_LINE], const struct progress *progress, uint64_t now);
/* "12 layers, 3 reused, 512.3 MiB fetched in 12.1 s" */
void progress_totals_line(char line[PROGRESS_LINE], const struct progress *progress, uint64_t now);

/* How much of the layer came, 0 to 100; only for a layer whose total is known. */
unsigned progress_percent(const struct progress_layer *layer);

#endif
