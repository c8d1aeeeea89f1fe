/* SPDX-License-Identifier: Apache-2.0 */
#include "disk.h"

#include "../vmdk/descriptor.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static int measure(struct vmdk_extent *extent, const char *folder, const char *name,
		   struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(16384);
	struct stat st;
	int status = buf_printf(&path, error, "%s/%s", folder, name);

	if (status == 0 && stat((char *)path.data, &st) < 0)
		status = error_set_errno(error, errno, "size of '%s'", (char *)path.data);
	else if (status == 0 && (!S_ISREG(st.st_mode) || st.st_size % VMDK_SECTOR_SIZE))
		status = error_set(error, MKROOTFS_ERROR_INVALID,
				   "'%s' is not a file of whole %u-byte sectors", (char *)path.data,
				   VMDK_SECTOR_SIZE);
	buf_free(&path);
	if (status < 0)
		return status;
	*extent = (struct vmdk_extent){ name, (uint64_t)st.st_size / VMDK_SECTOR_SIZE };
	return 0;
}

int disk_describe(struct buf *text, uint64_t *size, const char *folder, const char *const *names,
		  size_t count, struct mkrootfs_error *error)
{
	struct vmdk_extent *extents = calloc(count + 1, sizeof(*extents));
	int status = extents ? 0 : error_no_memory(error);

	*size = 0;
	for (size_t i = 0; status == 0 && i < count; i++) {
		status = measure(&extents[i], folder, names[i], error);
		if (status == 0)
			*size += extents[i].sectors * VMDK_SECTOR_SIZE;
	}
	if (status == 0)
		status = vmdk_describe(text, extents, count, error);
	free(extents);
	return status;
}
