/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user asks for: an image in a registry, as docker writes it, or in a place on disk, as
 * containers-transports(5) has it.
 *
 *	struct reference r;
 *	if (reference_parse(&r, "python:3.12", error) < 0) ...
 *	puts(r.text);			docker.io/library/python:3.12
 *
 * Registry images: [docker://][HOST/]REPOSITORY[:TAG][@DIGEST]. The first component is a host when
 * it holds '.' or ':' or is "localhost"; otherwise docker.io is meant, and "library/" is put before
 * a repository of one component there. The tag defaults to "latest" without a digest; with one the
 * digest decides and the tag is only a label.
 *
 * Places on disk:
 *	oci:DIR[:NAME][@DIGEST]			an OCI image layout
 *	oci-archive:FILE[:NAME][@DIGEST]	the same as a tar
 *	docker-archive:FILE[:NAME[:TAG]|:@N]	what `docker save` writes
 *	dir:DIR					a folder of skopeo's
 *	tar:FILE				the tar of a root filesystem
 * As in other tools the path of the first three ends at the first ':', so that a layout's NAME, the
 * annotation org.opencontainers.image.ref.name, may be "localhost/x:1.0". A FILE "-" is the
 * standard input.
 */
#ifndef MKROOTFS_OCI_REFERENCE_H
#define MKROOTFS_OCI_REFERENCE_H

#include "../base/digest.h"

enum reference_kind {
	REFERENCE_REGISTRY = 1,
	REFERENCE_LAYOUT,
	REFERENCE_OCI_ARCHIVE,
	REFERENCE_DOCKER_ARCHIVE,
	REFERENCE_DIRECTORY,
	REFERENCE_TAR,
};

#define REFERENCE_REPOSITORY_MAX 255 /* bytes */
#define REFERENCE_TAG_MAX 128	     /* bytes; names in layouts: REFERENCE_NAME_MAX */
#define REFERENCE_NAME_MAX 255
#define REFERENCE_PATH_SIZE 4096
#define REFERENCE_TEXT_SIZE (REFERENCE_PATH_SIZE + REFERENCE_NAME_MAX + DIGEST_TEXT_SIZE + 16)

struct reference {
	enum reference_kind kind;
	char registry[272]; /* "docker.io", "[::1]:5000"; lower case */
	char repository[REFERENCE_REPOSITORY_MAX + 1];
	/* Or the name in a layout or archive; empty: none given. */
	char tag[REFERENCE_NAME_MAX + 1];
	int number; /* of an image in a docker archive; -1: none given */
	bool has_digest;
	struct digest digest;
	char path[REFERENCE_PATH_SIZE]; /* of a place on disk, as given */
	char text[REFERENCE_TEXT_SIZE]; /* the canonical form, the same for all spellings */
};

/*
 * MKROOTFS_ERROR_INVALID says what is wrong; MKROOTFS_ERROR_UNSUPPORTED names a transport that
 * other tools know and this one does not ("docker-daemon:x" is never the repository of that name).
 */
int reference_parse(struct reference *out, const char *text, struct mkrootfs_error *error);
/* What a place's reference begins with, such as "oci:"; "" for registries. */
const char *reference_scheme(enum reference_kind kind);
/* Whether it is a FILE that means the standard input. */
bool reference_is_stdin(const struct reference *reference);

#endif
