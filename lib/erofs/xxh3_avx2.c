/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for processors that have AVX2, as the build's flags for this file say. */
#ifdef __AVX2__
#include "xxh3_engine.h"

const struct xxh3_engine *xxh3_avx2(void)
{
	return &xxh3_here;
}
#else
typedef int xxh3_has_no_avx2; /* a file must not be empty */
#endif
