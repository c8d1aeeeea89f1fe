/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a header: the reverse of header.h, in the form of POSIX (ustar).
 *
 *	tar_encode_start(block, '0');
 *	fits = tar_encode_name(block, name, len);
 *	fits = tar_encode_number(block, TAR_FIELD_UID, uid);
 *	tar_encode_seal(block);
 *
 * What does not fit is put in as far as it goes, and needs a pax record that overrides it.
 */
#ifndef MKROOTFS_TAR_HEADER_ENCODE_H
#define MKROOTFS_TAR_HEADER_ENCODE_H

#include "header.h"

/* An empty header with its type and magic. */
void tar_encode_start(uint8_t block[TAR_BLOCK_SIZE], uint8_t type);
/* A name, cut at a slash into prefix and name where it has to be; else its last component. */
bool tar_encode_name(uint8_t block[TAR_BLOCK_SIZE], const char *name, size_t len);
/* folder, a slash, and the last component of name, cut: for headers whose name means nothing. */
void tar_encode_name_in(uint8_t block[TAR_BLOCK_SIZE], const char *folder, const char *name,
			size_t len);
bool tar_encode_link(uint8_t block[TAR_BLOCK_SIZE], const char *link, size_t len);
/* Octal digits; the nearest number that fits. */
bool tar_encode_number(uint8_t block[TAR_BLOCK_SIZE], enum tar_field field, int64_t value);
/* The checksum; last. */
void tar_encode_seal(uint8_t block[TAR_BLOCK_SIZE]);

#endif
