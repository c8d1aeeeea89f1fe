/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_archive.h"

#include "../oci/reference.h"
#include "archive_file.h"
#include "limits.h"

#include <string.h>

static int open_archive(struct source **out, const char *path, const struct mkrootfs_limits *limits,
			struct events *events, struct mkrootfs_error *error)
{
	const struct source_unpacking rule =
		limits_unpacking(limits, "the unpacked archive", events);
	struct reference reference = { .kind = REFERENCE_TAR };
	struct archive_file file;
	struct source *packed;

	*out = NULL;
	if (strlen(path) >= sizeof(reference.path))
		return error_set(error, MKROOTFS_ERROR_INVALID, "the path is too long");
	strcpy(reference.path, path);
	if (archive_file_open(&file, &reference, error) < 0)
		return error->status;
	if (archive_file_source(&packed, &file, events, error) < 0) {
		archive_file_close(&file);
		return error->status;
	}
	return source_unpack(out, packed, &rule, error);
}

int upper_archive_open(struct source **out, const char *path, const struct mkrootfs_limits *limits,
		       struct events *events, struct mkrootfs_error *error)
{
	struct source *inner;
	int status = open_archive(&inner, path, limits, events, error);

	*out = NULL;
	if (status < 0)
		return status;
	status =
		source_meter(out, inner, UINT64_MAX, "the archive", events_progress, events, error);
	if (status < 0)
		source_close(inner);
	return status;
}
