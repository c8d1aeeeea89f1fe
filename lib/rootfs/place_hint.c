/* SPDX-License-Identifier: Apache-2.0 */
#include "place_hint.h"

#include <sys/stat.h>

int place_hint(struct mkrootfs_error *error, const char *text)
{
	struct stat st;

	if (!*text || error->advice[0] || stat(text, &st) < 0)
		return error->status;
	if (S_ISDIR(st.st_mode))
		return error_advise(error, "an image in the folder of that name is written oci:DIR "
					   "or dir:DIR");
	return error_advise(error, "an image in the file of that name is written "
				   "docker-archive:FILE, oci-archive:FILE or tar:FILE");
}
