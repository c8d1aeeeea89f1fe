/* SPDX-License-Identifier: Apache-2.0 */
#include "image_disk.h"

#include "disk.h"
#include "image.h"

#include <stdlib.h>
#include <string.h>

int image_disk_describe(struct buf *text, uint64_t *size, const char *folder,
			const struct stack *stack, struct mkrootfs_error *error)
{
	const char **names = calloc(stack->distinct_count + 1, sizeof(*names));
	int status;

	if (!names)
		return error_no_memory(error);
	names[0] = IMAGE_FSMETA;
	for (size_t i = 0; i < stack->distinct_count; i++)
		names[i + 1] = strrchr(stack->distinct[i].path, '/') + 1;
	status = disk_describe(text, size, folder, names, stack->distinct_count + 1, error);
	free(names);
	return status;
}
