/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <sys/stat.h>

static const char *noun(enum reference_kind kind)
{
	switch (kind) {
	case REFERENCE_LAYOUT:
		return "image layout";
	case REFERENCE_OCI_ARCHIVE:
		return "OCI archive";
	case REFERENCE_DOCKER_ARCHIVE:
		return "docker archive";
	case REFERENCE_DIRECTORY:
		return "image folder";
	default:
		return "root filesystem";
	}
}

int place_prefix(struct mkrootfs_error *error, const struct reference *reference)
{
	return error_prefix(error, "%s '%.300s': ", noun(reference->kind), reference->path);
}

int place_open_folder(struct file_set **out, const struct reference *reference,
		      struct mkrootfs_error *error)
{
	struct stat st;
	int status = file_set_folder(out, reference->path, error);

	if (status == 0 || stat(reference->path, &st) < 0 || S_ISDIR(st.st_mode))
		return status;
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "it is a file; images in one are written oci-archive:FILE or "
			 "docker-archive:FILE, a root filesystem tar:FILE");
}

/* What the files are, by their names. */
static enum reference_kind kind_of(struct file_set *files)
{
	if (file_set_has(files, "oci-layout"))
		return files->is_archive ? REFERENCE_OCI_ARCHIVE : REFERENCE_LAYOUT;
	if (file_set_has(files, "manifest.json"))
		return files->is_archive ? REFERENCE_DOCKER_ARCHIVE : REFERENCE_DIRECTORY;
	return 0;
}

int place_suggest(struct mkrootfs_error *error, struct file_set *files,
		  const struct reference *reference)
{
	enum reference_kind kind = kind_of(files);

	if (kind && kind != reference->kind) {
		error_set(error, MKROOTFS_ERROR_INVALID, "it is no %s, but %s %s",
			  noun(reference->kind), kind == REFERENCE_DOCKER_ARCHIVE ? "a" : "an",
			  noun(kind));
		return error_advise(error, "write %s%.300s", reference_scheme(kind),
				    reference->path);
	}
	if (files->is_archive && file_set_has(files, "repositories"))
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "it has no manifest.json: archives of docker before 1.10 are not "
				 "supported");
	if (!files->is_archive)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				 "there is no image in it: neither oci-layout nor manifest.json");
	error_set(error, MKROOTFS_ERROR_NOT_FOUND,
		  "there is no image in it: neither oci-layout nor manifest.json");
	return error_advise(error, "the tar of a root filesystem is written tar:%.300s",
			    reference->path);
}
