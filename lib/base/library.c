/* SPDX-License-Identifier: Apache-2.0 */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

static int find_all(void *table, void *handle, const struct library *library,
		    struct mkrootfs_error *error)
{
	for (size_t i = 0; library->names[i]; i++) {
		void *function = dlsym(handle, library->names[i]);

		if (!function)
			return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
					 "%s is too old: it has no %s", library->soname,
					 library->names[i]);
		/* ISO C has no cast between the two kinds of pointers. POSIX has one size for them.
		 */
		memcpy((char *)table + i * sizeof(function), &function, sizeof(function));
	}
	return 0;
}

int library_load(void *table, const struct library *library, struct mkrootfs_error *error)
{
	/* Now, not lazily: what a function of it lacks is said here, and does not end the process.
	 */
	void *handle = dlopen(library->soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	const char *cause = handle ? NULL : dlerror();
	int status;

	if (handle)
		status = find_all(table, handle, library, error);
	else
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "cannot load %s",
				   cause ? cause : library->soname);
	if (handle)
		dlclose(handle); /* only counts: see RTLD_NODELETE */
	return status < 0 ? error_advise(error, "%s", library->advice) : 0;
}
