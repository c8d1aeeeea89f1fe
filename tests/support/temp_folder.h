/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder of a test's own.
 *
 *	struct temp_folder t;
 *	temp_folder_make(&t);
 *	temp_folder_path(&t, "name")		valid until the fourth next call
 *	temp_folder_count(&t)			entries, without . and ..
 *	temp_folder_remove(&t);			and the files in it
 */
#ifndef TESTS_SUPPORT_TEMP_FOLDER_H
#define TESTS_SUPPORT_TEMP_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct temp_folder {
	char path[64];
	char lent[4][400];
	unsigned next;
};

static inline void temp_folder_make(struct temp_folder *folder)
{
	memset(folder, 0, sizeof(*folder));
	strcpy(folder->path, "/tmp/mkrootfs-test-XXXXXX");
	if (!mkdtemp(folder->path))
		abort();
}

static inline const char *temp_folder_path(struct temp_folder *folder, const char *name)
{
	char *path = folder->lent[folder->next++ % 4];
	size_t len = strlen(folder->path);

	memcpy(path, folder->path, len);
	snprintf(path + len, sizeof(folder->lent[0]) - len, "/%s", name);
	return path;
}

/* Counts the entries; unlinks them too where asked. */
static inline size_t temp_folder_walk(struct temp_folder *folder, int remove)
{
	DIR *directory = opendir(folder->path);
	struct dirent *entry;
	size_t count = 0;

	if (!directory)
		abort();
	while ((entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		count++;
		if (remove && unlink(temp_folder_path(folder, entry->d_name)) < 0)
			rmdir(temp_folder_path(folder, entry->d_name));
	}
	closedir(directory);
	return count;
}

static inline size_t temp_folder_count(struct temp_folder *folder)
{
	return temp_folder_walk(folder, 0);
}

static inline void temp_folder_remove(struct temp_folder *folder)
{
	temp_folder_walk(folder, 1);
	rmdir(folder->path);
}

#endif
