/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of a layout's images a reference means, by the annotation
 * org.opencontainers.image.ref.name of the entries of index.json.
 *
 *	layout_choice(&entry, &index, reference.tag, error);
 */
#ifndef MKROOTFS_OCI_LAYOUT_CHOICE_H
#define MKROOTFS_OCI_LAYOUT_CHOICE_H

#include "index.h"

/* Whether all entries are one image, perhaps under several names. */
bool index_is_one_image(const struct index *index);

/*
 * The entry named tag, borrowed from the index; for an empty tag that of its one image. NULL on
 * success: the index itself is the image's, since none of its several images has a name. NOT_FOUND
 * lists the names there are; MALFORMED: one name for two images.
 */
int layout_choice(const struct index_entry **out, const struct index *index, const char *tag,
		  struct mkrootfs_error *error);

#endif
