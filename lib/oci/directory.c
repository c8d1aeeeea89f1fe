/* SPDX-License-Identifier: Apache-2.0 */
#include "directory.h"

#include "../io/file_set.h"
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME_SIZE (DIGEST_TEXT_SIZE + 32)

struct directory {
	struct transport transport;
	struct reference reference;
	struct file_set *files;
};

/* sha256 digests are written without the algorithm, others as "<algorithm>-<hex>". */
static void file_name(char name[FILE_NAME_SIZE], const struct digest *digest, const char *suffix)
{
	char hex[DIGEST_TEXT_SIZE];

	digest_format_hex(hex, digest);
	snprintf(name, FILE_NAME_SIZE, "%s%s%s",
		 digest->algorithm == DIGEST_SHA512 ? "sha512-" : "", hex, suffix);
}

static int fetch(struct transport_document *out, const struct directory *directory,
		 const char *tag_or_digest, struct mkrootfs_error *error)
{
	char name[FILE_NAME_SIZE] = "manifest.json";
	struct digest digest;

	if (tag_or_digest) {
		if (digest_parse(&digest, tag_or_digest, error) < 0)
			return error->status;
		file_name(name, &digest, ".manifest.json");
	}
	return file_set_read(&out->bytes, directory->files, name, error);
}

static int directory_fetch_manifest(struct transport *transport, struct transport_document *out,
				    const char *tag_or_digest, struct mkrootfs_error *error)
{
	struct directory *directory = (struct directory *)transport;

	if (fetch(out, directory, tag_or_digest, error) == 0)
		return 0;
	return place_prefix(error, &directory->reference);
}

static int directory_open_blob(struct transport *transport, struct source **out,
			       const struct descriptor *descriptor, uint64_t offset,
			       struct mkrootfs_error *error)
{
	struct directory *directory = (struct directory *)transport;
	char name[FILE_NAME_SIZE];

	file_name(name, &descriptor->digest, "");
	return file_set_open(directory->files, out, NULL, name, offset, error);
}

static void directory_close(struct transport *transport)
{
	struct directory *directory = (struct directory *)transport;

	file_set_close(directory->files);
	free(directory);
}

static const struct transport_ops directory_ops = {
	directory_fetch_manifest,
	directory_open_blob,
	directory_close,
	NULL,
};

/* The file is younger than the format, so it may be missing; 1.1 and 1.2 add to 1.0. */
static int check_version(const struct directory *directory, struct mkrootfs_error *error)
{
	static const char prefix[] = "Directory Transport Version: 1.";
	struct buf bytes = BUF_INIT(256);
	int status = file_set_read(&bytes, directory->files, "version", error);

	if (status == 0 &&
	    (bytes.len < strlen(prefix) || memcmp(bytes.data, prefix, strlen(prefix)) != 0))
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "its file 'version' is none of a folder of version 1");
	buf_free(&bytes);
	return status == MKROOTFS_ERROR_NOT_FOUND ? 0 : status;
}

static int check(const struct directory *directory, struct mkrootfs_error *error)
{
	if (!file_set_has(directory->files, "manifest.json"))
		return place_suggest(error, directory->files, &directory->reference);
	return check_version(directory, error);
}

int directory_open(struct transport **out, const struct reference *reference,
		   struct mkrootfs_error *error)
{
	struct directory *directory = calloc(1, sizeof(*directory));
	int status;

	*out = NULL;
	if (!directory)
		return error_no_memory(error);
	directory->transport.ops = &directory_ops;
	directory->reference = *reference;
	status = place_open_folder(&directory->files, reference, error);
	if (status == 0)
		status = check(directory, error);
	if (status < 0) {
		directory_close(&directory->transport);
		return place_prefix(error, reference);
	}
	*out = &directory->transport;
	return 0;
}
