/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image as people read it. Commands share these parts.
 *
 *	char digest[SHORT_DIGEST];
 *
 *	puts(short_digest(digest, mkrootfs_image_digest(image)));
 *	print_files(out, image);
 *	print_layers(out, image);
 */
#ifndef CLI_IMAGE_VIEW_H
#define CLI_IMAGE_VIEW_H

#include <stdio.h>

#include <mkrootfs.h>

#define SHORT_DIGEST 13

/* The first 12 hex digits. Returns text. */
const char *short_digest(char text[SHORT_DIGEST], const char *digest);

/* "Name:        value" with the value escaped, "-" for an empty one. */
void print_field(FILE *out, const char *name, const char *value);

/* Folder, disk and metadata. */
void print_files(FILE *out, const struct mkrootfs_image *image);

/* A heading, and a line for each layer, lowest first. */
void print_layers(FILE *out, const struct mkrootfs_image *image);

/*
 * The -drive argument that gives a file to a QEMU guest, quoted for a shell. options stand before
 * the file, such as "format=vmdk,readonly=on".
 */
void print_qemu_drive(FILE *out, const char *options, const char *path);

/* The commands by which a guest makes its root of an image's disk and an upper. */
void print_guest_mounts(FILE *out);

#endif
