/* SPDX-License-Identifier: Apache-2.0 */
/* References to places on disk: TRANSPORT:PATH and what may stand behind it. See reference.h. */
#ifndef MKROOTFS_OCI_REFERENCE_PATH_H
#define MKROOTFS_OCI_REFERENCE_PATH_H

#include "reference.h"

/* The kind whose transport text begins with, or 0. */
enum reference_kind reference_path_kind(const char *text);
/* text begins with kind's transport; out is zeroed before. */
int reference_path_parse(struct reference *out, enum reference_kind kind, const char *text,
			 struct mkrootfs_error *error);

/* ---- What both kinds of references share ---- */

int reference_invalid(struct mkrootfs_error *error, const char *why);
/* text[0..len) into out as a string; false when it does not fit. */
bool reference_copy(char *out, size_t size, const char *text, size_t len);
int reference_parse_digest(struct reference *out, const char *text, struct mkrootfs_error *error);

#endif
