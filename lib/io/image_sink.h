/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file under construction that is written from its start to its end.
 *
 *	struct image_sink out;
 *	image_sink(&out, file);
 *	sink_write(&out.sink, data, len, error);
 */
#ifndef MKROOTFS_IO_IMAGE_SINK_H
#define MKROOTFS_IO_IMAGE_SINK_H

#include "image_file.h"
#include "sink.h"

struct image_sink {
	struct sink sink;
	struct image_file *file; /* borrowed */
	uint64_t end;		 /* bytes that were written */
};
void image_sink(struct image_sink *out, struct image_file *file);

#endif
