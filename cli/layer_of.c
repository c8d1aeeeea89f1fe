/* SPDX-License-Identifier: Apache-2.0 */
#include "layer_of.h"

#include <string.h>

const char *layer_of(const struct tree_operand *place, const struct mkrootfs_stat *stat)
{
	size_t count =
		place->image && stat->data_file ? mkrootfs_image_layer_count(place->image) : 0;

	for (size_t i = 0; i < count; i++) {
		const struct mkrootfs_image_layer *layer = mkrootfs_image_layer(place->image, i);

		if (!strcmp(layer->path, stat->data_file))
			return layer->diff_id;
	}
	return NULL;
}
