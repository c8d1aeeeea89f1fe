/* SPDX-License-Identifier: Apache-2.0 */
#include "cert_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int cert_dir_find(char **out, const struct mkrootfs_string_list *dirs, const char *registry,
		  struct mkrootfs_error *error)
{
	struct stat st;

	*out = NULL;
	for (size_t i = 0; i < dirs->count; i++) {
		if (asprintf(out, "%s/%s", dirs->items[i], registry) < 0) {
			*out = NULL;
			return error_no_memory(error);
		}
		if (stat(*out, &st) == 0 && S_ISDIR(st.st_mode))
			return 0;
		free(*out);
		*out = NULL;
	}
	return 0;
}
