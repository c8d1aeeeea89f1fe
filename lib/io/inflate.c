/* SPDX-License-Identifier: Apache-2.0 */
#include "inflate.h"

static const struct inflate_engine *const engines[] = {
#ifdef MKROOTFS_ISAL
	&inflate_isal,
#endif
	&inflate_zlib,
	NULL,
};

const struct inflate_engine *const *inflate_engines(void)
{
	return engines;
}
