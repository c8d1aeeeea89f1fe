/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user asks for: an image in a registry, as docker writes it, or in an OCI image layout.
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
 * Layouts: oci:DIR[:NAME][@DIGEST]. As in other tools DIR ends at the first ':', so that NAME, the
 * annotation org.opencontainers.image.ref.name, may be "localhost/x:1.0".
 */
#ifndef MKROOTFS_OCI_REFERENCE_H
#define MKROOTFS_OCI_REFERENCE_H

#include "../base/digest.h"

enum reference_kind { REFERENCE_REGISTRY = 1, REFERENCE_LAYOUT };

#define REFERENCE_REPOSITORY_MAX 255 /* bytes */
#define REFERENCE_TAG_MAX 128	     /* bytes; names in layouts: REFERENCE_NAME_MAX */
#define REFERENCE_NAME_MAX 255
#define REFERENCE_PATH_SIZE 4096
#define REFERENCE_TEXT_SIZE (REFERENCE_PATH_SIZE + REFERENCE_NAME_MAX + DIGEST_TEXT_SIZE + 16)

struct reference {
	enum reference_kind kind;
	char registry[272]; /* "docker.io", "[::1]:5000"; lower case */
	char repository[REFERENCE_REPOSITORY_MAX + 1];
	char tag[REFERENCE_NAME_MAX + 1]; /* empty: none given */
	bool has_digest;
	struct digest digest;
	char path[REFERENCE_PATH_SIZE]; /* of a layout, as given */
	char text[REFERENCE_TEXT_SIZE]; /* the canonical form, the same for all spellings */
};

/*
 * MKROOTFS_ERROR_INVALID says what is wrong; MKROOTFS_ERROR_UNSUPPORTED names a transport that
 * other tools know and this one does not ("oci-archive:x" is never the repository of that name).
 */
int reference_parse(struct reference *out, const char *text, struct mkrootfs_error *error);

#endif
