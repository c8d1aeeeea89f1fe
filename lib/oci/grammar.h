/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of the parts of image references, as docker and the distribution-spec have it. */
#ifndef MKROOTFS_OCI_GRAMMAR_H
#define MKROOTFS_OCI_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

#define GRAMMAR_LOWER "abcdefghijklmnopqrstuvwxyz"
#define GRAMMAR_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define GRAMMAR_DIGITS "0123456789"

/* Letters, digits, '_', '.' and '-', the first one no '.' or '-'; the length is not checked. */
bool grammar_is_tag(const char *text);
/* Components between slashes: runs of a-z and 0-9 with one of . _ __ - -- ... between each two. */
bool grammar_is_repository(const char *text);
/* Labels of letters, digits and inner '-'. */
bool grammar_is_domain(const char *text);
/* Whether the first component of a name is a registry: it holds '.' or ':', or is "localhost". */
bool grammar_is_host(const char *component, size_t len);
/* 64 hexadecimal digits, which docker takes for an image ID and never for a name. */
bool grammar_is_image_id(const char *text);

#endif
