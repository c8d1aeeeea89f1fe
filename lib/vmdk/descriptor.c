/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include "../base/bytes.h"
#include "../base/checked.h"
#include "../base/digest.h"

#include <inttypes.h>
#include <string.h>

/* The geometry that VMware gives large disks; guests address by sectors and do not look. */
#define HEADS 16u
#define SECTORS_PER_TRACK 63u
#define MAX_CYLINDERS 16383u

/* An extent of no sectors would be dropped by some readers and shift nothing in others. */
static int check_extent(const struct vmdk_extent *extent, struct mkrootfs_error *error)
{
	const char *name = extent->name;
	size_t len = strlen(name);

	if (extent->sectors == 0)
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' is empty", name);
	if (len == 0 || len > VMDK_NAME_MAX)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "a file name of %zu bytes, 1 to %u are possible", len,
				 VMDK_NAME_MAX);
	for (size_t i = 0; i < len; i++)
		if (name[i] == '/' || name[i] == '"' || (unsigned char)name[i] < 0x20)
			return error_set(error, MKROOTFS_ERROR_INVALID,
					 "'%s' has a character that a descriptor cannot hold",
					 name);
	return 0;
}

static int append_extents(struct buf *lines, uint64_t *sectors, const struct vmdk_extent *extents,
			  size_t count, struct mkrootfs_error *error)
{
	int status = count ? 0 : error_set(error, MKROOTFS_ERROR_INVALID, "a disk of no files");

	*sectors = 0;
	for (size_t i = 0; status == 0 && i < count; i++) {
		status = check_extent(&extents[i], error);
		if (status == 0 && !checked_add_u64(sectors, *sectors, extents[i].sectors))
			status = error_set(error, MKROOTFS_ERROR_LIMIT, "the disk is too large");
		if (status == 0)
			status = buf_printf(lines, error, "RW %" PRIu64 " FLAT \"%s\" 0\n",
					    extents[i].sectors, extents[i].name);
	}
	return status;
}

/* CID changes when content does; all ones and one less have meanings of their own. */
static int content_id(uint32_t *cid, const struct buf *lines, struct mkrootfs_error *error)
{
	struct digest digest;
	int status = digest_of(&digest, DIGEST_SHA256, lines->data, lines->len, error);

	*cid = get_be32(digest.bytes) & 0x7fffffff;
	return status;
}

static int append_text(struct buf *text, const struct buf *lines, uint32_t cid, uint64_t sectors,
		       struct mkrootfs_error *error)
{
	uint64_t cylinders = sectors / (HEADS * SECTORS_PER_TRACK) + 1;

	return buf_printf(text, error,
			  "# Disk DescriptorFile\n"
			  "version=1\n"
			  "CID=%08" PRIx32 "\n"
			  "parentCID=ffffffff\n"
			  "createType=\"twoGbMaxExtentFlat\"\n"
			  "\n"
			  "# Extent description\n"
			  "%s"
			  "\n"
			  "# The Disk Data Base\n"
			  "#DDB\n"
			  "ddb.virtualHWVersion = \"4\"\n"
			  "ddb.geometry.cylinders = \"%" PRIu64 "\"\n"
			  "ddb.geometry.heads = \"%u\"\n"
			  "ddb.geometry.sectors = \"%u\"\n"
			  "ddb.adapterType = \"ide\"\n",
			  cid, (const char *)lines->data,
			  cylinders < MAX_CYLINDERS ? cylinders : MAX_CYLINDERS, HEADS,
			  SECTORS_PER_TRACK);
}

int vmdk_describe(struct buf *text, const struct vmdk_extent *extents, size_t count,
		  struct mkrootfs_error *error)
{
	struct buf lines = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	uint64_t sectors;
	uint32_t cid;
	int status = append_extents(&lines, &sectors, extents, count, error);

	if (status == 0)
		status = content_id(&cid, &lines, error);
	if (status == 0)
		status = append_text(text, &lines, cid, sectors, error);
	buf_free(&lines);
	return status;
}
