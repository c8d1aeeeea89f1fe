/* SPDX-License-Identifier: Apache-2.0 */
#include "local_image.h"

#include "image.h"
#include "image_find.h"

#include <string.h>

static bool serves(const struct mkrootfs_image *image, const struct platform *wanted)
{
	struct mkrootfs_error ignored;
	struct platform own;

	return platform_parse(&own, image->platform, &ignored) == 0 &&
	       platform_rank(&own, wanted) > 0;
}

int local_image_open(struct mkrootfs_image **image, const char *store, const char *reference,
		     const struct platform *platform, struct mkrootfs_error *error)
{
	int status = image_find(image, store, reference, error);

	/* A damaged image is as good as none: a pull mends it. */
	if (status == MKROOTFS_ERROR_NOT_FOUND || status == MKROOTFS_ERROR_MALFORMED)
		return 0;
	if (status < 0)
		return status;
	if (strcmp((*image)->reference, reference) != 0 ||
	    (platform && !serves(*image, platform))) {
		image_free(*image);
		*image = NULL;
	}
	return 0;
}

static int report_layer(struct mkrootfs_image *image, size_t index, struct events *events,
			struct mkrootfs_error *error)
{
	events->layer_index = (uint32_t)index;
	digest_format(events->digest, &image->config.diff_ids[index]);
	image->layers[index].reused = 1;
	return events_report(events, MKROOTFS_EVENT_LAYER_REUSED, 0, error);
}

int local_image_report(struct mkrootfs_image *image, struct events *events,
		       struct mkrootfs_error *error)
{
	size_t count = image->config.diff_id_count;
	int status;

	events->layer_count = (uint32_t)count;
	events->total = 0;
	digest_format(events->digest, &image->manifest_digest);
	status = events_report(events, MKROOTFS_EVENT_RESOLVED, 0, error);
	for (size_t i = 0; status == 0 && i < count; i++)
		status = report_layer(image, i, events, error);
	return status < 0 ? status : image_update_json(image, error);
}
