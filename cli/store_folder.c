/* SPDX-License-Identifier: Apache-2.0 */
#include "store_folder.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *variable;
	const char *below;
	int absolute; /* a relative value does not count: the XDG base directory specification */
} places[] = {
	{ "MKROOTFS_STORE", "", 0 },
	{ "XDG_DATA_HOME", "/mkrootfs", 1 },
	{ "HOME", "/.local/share/mkrootfs", 1 },
};

const char *store_folder_default(char folder[STORE_FOLDER])
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *value = getenv(places[i].variable);
		int length;

		if (!value || !*value || (places[i].absolute && *value != '/'))
			continue;
		length = snprintf(folder, STORE_FOLDER, "%s%s", value, places[i].below);
		return length < STORE_FOLDER ? NULL : "the path of the store is too long";
	}
	folder[0] = '\0';
	return "no folder for the store: give --store DIR, or set MKROOTFS_STORE or HOME";
}
