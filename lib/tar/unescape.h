/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings that libarchive uses in pax records, undone in place: the result is never longer. */
#ifndef MKROOTFS_TAR_UNESCAPE_H
#define MKROOTFS_TAR_UNESCAPE_H

#include "pax.h"

/* "%41" becomes "A". False: a '%' without two hex digits. */
bool tar_unescape_percent(struct tar_text *text);
/* RFC 4648, section 4; the padding may be missing. False: anything else. */
bool tar_unescape_base64(struct tar_text *text);

#endif
