/* SPDX-License-Identifier: Apache-2.0 */
#include "temp_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX ".mkrootfs-"
#define SUFFIX ".tmp"
#define ATTEMPTS 65536u /* names of one process; taken ones are skipped */

int temp_name_make(char **path, const char *folder, int (*make)(const char *path, void *user),
		   void *user)
{
	const size_t size = strlen(folder) + sizeof("/" PREFIX "-" SUFFIX) + 32;
	char *name = malloc(size);
	int saved = ENOMEM;

	*path = NULL;
	for (unsigned i = 0; name && i < ATTEMPTS; i++) {
		snprintf(name, size, "%s/" PREFIX "%lu-%u" SUFFIX, folder, (unsigned long)getpid(),
			 i);
		if (make(name, user) >= 0) {
			*path = name;
			return 0;
		}
		saved = errno;
		if (saved != EEXIST)
			break;
	}
	free(name);
	errno = saved;
	return -1;
}

bool temp_name_is(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	return len > strlen(PREFIX) + suffix && !strncmp(name, PREFIX, strlen(PREFIX)) &&
	       !strcmp(name + len - suffix, SUFFIX);
}
