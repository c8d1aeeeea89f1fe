/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile VMDK descriptors: what is accepted names files beside it, of sizes that add up. */
#include <stdlib.h>
#include <string.h>

#include "vmdk/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mkrootfs_error error;
	struct vmdk_disk disk;
	uint64_t sectors = 0;

	if (vmdk_parse(&disk, data, size, &error) < 0)
		return 0;
	if (disk.count == 0 || disk.count > VMDK_EXTENTS_MAX)
		abort();
	for (size_t i = 0; i < disk.count; i++) {
		const char *name = disk.extents[i].name;

		if (!*name || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, ".."))
			abort();
		if (disk.extents[i].sectors == 0)
			abort();
		sectors += disk.extents[i].sectors;
	}
	if (sectors > INT64_MAX / VMDK_SECTOR_SIZE)
		abort();
	vmdk_disk_free(&disk);
	return 0;
}
