/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The manifest of one platform out of an index and the indexes it points to.
 *
 *	select_manifest(&document, &platform, &fetcher, &index_document, &wanted, error);
 *
 * Attestations are passed over, as are entries of unknown media types without a platform, which the
 * image-spec wants ignored. Entries of images without a platform are asked last, by their configs.
 */
#ifndef MKROOTFS_OCI_SELECT_H
#define MKROOTFS_OCI_SELECT_H

#include "fetch.h"
#include "platform.h"

#define SELECT_MAX_DEPTH 8 /* indexes inside of each other, the first one included */

/*
 * *out is the chosen manifest, *chosen its platform. PLATFORM lists the platforms that there are.
 */
int select_manifest(struct document *out, struct platform *chosen, struct fetcher *fetcher,
		    const struct document *index, const struct platform *wanted,
		    struct mkrootfs_error *error);

#endif
