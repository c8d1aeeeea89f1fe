/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is said to be an archive of images: its table, and the image that each kind of
 * archive finds by it, up to the config and the first bytes of each layer.
 */
#include "oci/docker_archive.h"
#include "oci/layout.h"
#include "oci/resolve.h"
#include "tar/file_index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int make_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);

	if (fd < 0 || (size > 0 && write(fd, data, size) != (ssize_t)size))
		abort();
	return fd;
}

static void read_some(struct source *source)
{
	struct mkrootfs_error error;
	const uint8_t *bytes;
	size_t len;

	for (int i = 0; i < 4; i++)
		if (source_next(source, &bytes, &len, &error) < 0 || len == 0)
			break;
	source_close(source);
}

static void use(struct transport *transport, const struct reference *reference)
{
	const struct resolve_options options = { .max_layers = 16, .platform_is_default = true };
	struct resolved_image *image;
	struct mkrootfs_error error;
	struct source *source;

	if (resolve_image(&image, transport, reference, &options, &error) < 0)
		return;
	for (size_t i = 0; i < image->manifest.layer_count; i++)
		if (transport_open_blob(transport, &source, &image->manifest.layers[i], i % 2,
					&error) == 0)
			read_some(source);
	resolved_image_free(image);
}

static void try_kind(const uint8_t *data, size_t size, const char *text)
{
	static const struct docker_archive_options options = {
		.max_layers = 16,
		.unpacking = { .what = "layer",
			       .max_size = 1 << 20,
			       .ratio = 100,
			       .ratio_free = 1 << 16 },
	};
	char name[REFERENCE_TEXT_SIZE];
	struct mkrootfs_error error;
	struct transport *transport;
	struct reference reference;
	struct file_set *files;
	int fd, status;

	if (reference_parse(&reference, text, &error) < 0)
		abort();
	fd = make_file(data, size);
	if (file_set_tar(&files, fd, &error) < 0) {
		close(fd);
		return;
	}
	if (reference.kind == REFERENCE_OCI_ARCHIVE)
		status = layout_open_files(&transport, files, &reference, &error);
	else
		status = docker_archive_open(&transport, name, files, &reference, &options, &error);
	if (status < 0)
		file_set_close(files);
	else
		use(transport, &reference);
	transport_close(transport);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_kind(data, size, "oci-archive:x");
	try_kind(data, size, "docker-archive:x");
	try_kind(data, size, "docker-archive:x:one:1");
	return 0;
}
