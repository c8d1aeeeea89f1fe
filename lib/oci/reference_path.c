/* SPDX-License-Identifier: Apache-2.0 */
#include "reference_path.h"

#include "grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_layout(struct reference *out, const char *text, struct mkrootfs_error *error);
static int parse_docker(struct reference *out, const char *text, struct mkrootfs_error *error);
static int parse_bare(struct reference *out, const char *text, struct mkrootfs_error *error);

static const struct {
	enum reference_kind kind;
	const char *prefix;
	int (*parse)(struct reference *out, const char *text, struct mkrootfs_error *error);
} transports[] = {
	{ REFERENCE_LAYOUT, "oci:", parse_layout },
	{ REFERENCE_OCI_ARCHIVE, "oci-archive:", parse_layout },
	{ REFERENCE_DOCKER_ARCHIVE, "docker-archive:", parse_docker },
	{ REFERENCE_DIRECTORY, "dir:", parse_bare },
	{ REFERENCE_TAR, "tar:", parse_bare },
};

#define TRANSPORT_COUNT (sizeof(transports) / sizeof(transports[0]))

int reference_invalid(struct mkrootfs_error *error, const char *why)
{
	return error_set(error, MKROOTFS_ERROR_INVALID, "%s", why);
}

bool reference_copy(char *out, size_t size, const char *text, size_t len)
{
	if (len >= size)
		return false;
	memcpy(out, text, len);
	out[len] = '\0';
	return true;
}

int reference_parse_digest(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	int status = digest_parse(&out->digest, text, error);

	if (status == MKROOTFS_ERROR_MALFORMED)
		status = error->status = MKROOTFS_ERROR_INVALID;
	out->has_digest = status == 0;
	return status;
}

const char *reference_scheme(enum reference_kind kind)
{
	for (size_t i = 0; i < TRANSPORT_COUNT; i++)
		if (transports[i].kind == kind)
			return transports[i].prefix;
	return "";
}

bool reference_is_stdin(const struct reference *reference)
{
	return (reference->kind == REFERENCE_OCI_ARCHIVE ||
		reference->kind == REFERENCE_DOCKER_ARCHIVE || reference->kind == REFERENCE_TAR) &&
	       !strcmp(reference->path, "-");
}

enum reference_kind reference_path_kind(const char *text)
{
	for (size_t i = 0; i < TRANSPORT_COUNT; i++)
		if (!strncmp(text, transports[i].prefix, strlen(transports[i].prefix)))
			return transports[i].kind;
	return 0;
}

static int set_path(struct reference *out, const char *text, size_t len,
		    struct mkrootfs_error *error)
{
	bool folder = out->kind == REFERENCE_LAYOUT || out->kind == REFERENCE_DIRECTORY;

	if (len == 0)
		return reference_invalid(error,
					 folder ? "the folder is empty" : "the file is empty");
	if (!reference_copy(out->path, sizeof(out->path), text, len))
		return reference_invalid(error, "the path is too long");
	return 0;
}

/* ---- TRANSPORT:PATH ---- */

static int parse_bare(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	return set_path(out, text, strlen(text), error);
}

/* ---- TRANSPORT:PATH[:NAME][@DIGEST] ---- */

/* The '@' before a digest at the end of text, or NULL. */
static const char *find_digest(const char *text)
{
	const char *at = strrchr(text, '@');

	return at && (!strncmp(at, "@sha256:", 8) || !strncmp(at, "@sha512:", 8)) ? at : NULL;
}

static int parse_layout_name(struct reference *out, const char *text, size_t len,
			     struct mkrootfs_error *error)
{
	if (len == 0)
		return reference_invalid(error, out->kind == REFERENCE_LAYOUT
							? "the name behind the folder is empty"
							: "the name behind the file is empty");
	if (!reference_copy(out->tag, sizeof(out->tag), text, len))
		return reference_invalid(error, "the name has more than 255 characters");
	if (strspn(out->tag, GRAMMAR_LOWER GRAMMAR_UPPER GRAMMAR_DIGITS "-._:@+/") != len)
		return reference_invalid(error,
					 "the name may hold letters, digits and any of -._:@+/");
	return 0;
}

static int parse_layout(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	const char *at = find_digest(text);
	size_t len = at ? (size_t)(at - text) : strlen(text);
	const char *colon = memchr(text, ':', len);
	size_t path = colon ? (size_t)(colon - text) : len;
	int status = at ? reference_parse_digest(out, at + 1, error) : 0;

	if (status == 0)
		status = set_path(out, text, path, error);
	if (status == 0 && colon)
		status = parse_layout_name(out, colon + 1, len - path - 1, error);
	return status;
}

/* ---- docker-archive:FILE[:NAME[:TAG]|:@INDEX] ---- */

static int parse_number(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	size_t len = strlen(text);

	if (len == 0 || len > 6 || strspn(text, GRAMMAR_DIGITS) != len)
		return reference_invalid(error, "behind '@' stands the image's number in the "
						"archive, from 0");
	out->number = atoi(text);
	return 0;
}

/* The tag is the canonical text of the name, so that all its spellings are one. */
static int parse_docker_name(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	struct reference name;

	if (!text[0])
		return reference_invalid(error, "the name behind the file is empty");
	if (text[0] == '@')
		return parse_number(out, text + 1, error);
	if (reference_path_kind(text) || reference_parse(&name, text, error) < 0)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "behind the file stands NAME:TAG or @NUMBER");
	if (name.has_digest)
		return reference_invalid(error, "an image of an archive has no digest to name it "
						"by");
	if (!reference_copy(out->tag, sizeof(out->tag), name.text, strlen(name.text)))
		return reference_invalid(error, "the name has more than 255 characters");
	return 0;
}

static int parse_docker(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	size_t path = strcspn(text, ":");
	int status = set_path(out, text, path, error);

	if (status == 0 && text[path])
		status = parse_docker_name(out, text + path + 1, error);
	return status;
}

int reference_path_parse(struct reference *out, enum reference_kind kind, const char *text,
			 struct mkrootfs_error *error)
{
	size_t i = 0;
	int status;

	while (transports[i].kind != kind)
		i++;
	out->kind = kind;
	out->number = -1;
	status = transports[i].parse(out, text + strlen(transports[i].prefix), error);
	if (status == 0)
		snprintf(out->text, sizeof(out->text), "%s", text);
	return status;
}
