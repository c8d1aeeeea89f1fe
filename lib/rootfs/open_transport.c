/* SPDX-License-Identifier: Apache-2.0 */
#include "open_transport.h"

#include "../oci/directory.h"
#include "../oci/docker_archive.h"
#include "../oci/layout.h"
#include "../oci/place.h"
#include "../tar/file_index.h"
#include "archive_file.h"
#include "limits.h"
#include "tar_image.h"

#include <unistd.h>

static int need_store(struct opening *opening, struct mkrootfs_error *error)
{
	if (*opening->store)
		return 0;
	return store_open(opening->store, opening->store_path, STORE_WRITE, error);
}

/* ---- Archives ---- */

/* A descriptor with the archive's plain bytes, spooled to the store where they cannot be read. */
static int settle(int *fd, struct archive_file *file, struct opening *opening,
		  struct mkrootfs_error *error)
{
	const char *folder = "";

	*fd = -1;
	if (archive_file_must_spool(file)) {
		if (need_store(opening, error) < 0)
			return error->status;
		folder = store_tmp(*opening->store);
	}
	return archive_file_settle(fd, file, folder, opening->limits, opening->events, error);
}

static int open_files(struct file_set **files, struct opening *opening,
		      struct mkrootfs_error *error)
{
	struct archive_file file;
	int fd, status = archive_file_open(&file, opening->reference, error);

	*files = NULL;
	if (status < 0)
		return status;
	status = settle(&fd, &file, opening, error);
	if (status == 0 && (status = file_set_tar(files, fd, error)) < 0)
		close(fd);
	archive_file_close(&file);
	return status;
}

static int open_saved(struct transport **out, struct file_set *files, struct opening *opening,
		      struct mkrootfs_error *error)
{
	const struct docker_archive_options options = {
		.max_layers = opening->limits->layers,
		.unpacking = limits_unpacking(
			opening->limits, "the unpacked layer (limits.unpacked_size, limits.ratio)",
			opening->events),
	};

	return docker_archive_open(out, opening->name, files, opening->reference, &options, error);
}

static int open_archive(struct transport **out, struct opening *opening,
			struct mkrootfs_error *error)
{
	struct file_set *files;
	int status = open_files(&files, opening, error);

	if (status < 0)
		return place_prefix(error, opening->reference);
	if (opening->reference->kind == REFERENCE_OCI_ARCHIVE)
		status = layout_open_files(out, files, opening->reference, error);
	else
		status = open_saved(out, files, opening, error);
	if (status < 0)
		file_set_close(files);
	return status;
}

/* ---- The tar of a root filesystem ---- */

static int open_tar(struct transport **out, struct opening *opening, struct mkrootfs_error *error)
{
	struct archive_file file;
	int status = archive_file_open(&file, opening->reference, error);

	if (status == 0)
		status = need_store(opening, error);
	if (status == 0) {
		const struct tar_image_options options = { .store = *opening->store,
							   .platform = opening->platform,
							   .limits = opening->limits,
							   .events = opening->events,
							   .threads = opening->threads,
							   .times = opening->times };

		status = tar_image_open(out, &opening->fresh, &opening->made, &file, &options,
					error);
	}
	archive_file_close(&file);
	return status < 0 ? place_prefix(error, opening->reference) : 0;
}

int open_transport(struct transport **out, struct opening *opening, struct mkrootfs_error *error)
{
	const struct reference *reference = opening->reference;

	*out = NULL;
	opening->name[0] = '\0';
	opening->fresh = false;
	opening->made = (struct made_layer){ 0 };
	switch (reference->kind) {
	case REFERENCE_LAYOUT:
		return layout_open(out, reference, error);
	case REFERENCE_DIRECTORY:
		return directory_open(out, reference, error);
	case REFERENCE_OCI_ARCHIVE:
	case REFERENCE_DOCKER_ARCHIVE:
		return open_archive(out, opening, error);
	case REFERENCE_TAR:
		return open_tar(out, opening, error);
	default:
		return sources_open(out, opening->sources, reference, error);
	}
}
