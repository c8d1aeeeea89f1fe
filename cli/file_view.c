/* SPDX-License-Identifier: Apache-2.0 */
#include "file_view.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

static const struct {
	uint32_t type;
	char letter;
	const char *name;
} types[] = {
	{ S_IFREG, '-', "file" },    { S_IFDIR, 'd', "directory" }, { S_IFLNK, 'l', "symlink" },
	{ S_IFCHR, 'c', "char" },    { S_IFBLK, 'b', "block" },	    { S_IFIFO, 'p', "fifo" },
	{ S_IFSOCK, 's', "socket" }, { 0, '?', "unknown" },
};

static size_t type_index(uint32_t mode)
{
	size_t i = 0;

	while (types[i].type && types[i].type != (mode & S_IFMT))
		i++;
	return i;
}

const char *type_name(uint32_t mode)
{
	return types[type_index(mode)].name;
}

bool is_type(const struct mkrootfs_stat *stat, uint32_t type)
{
	return (stat->mode & S_IFMT) == type;
}

bool is_whiteout(const struct mkrootfs_stat *stat)
{
	return is_type(stat, S_IFCHR) && stat->device_major == 0 && stat->device_minor == 0;
}

/* The x of one class, where setuid, setgid and sticky are shown too. */
static char execute(uint32_t mode, uint32_t bit, uint32_t special, char letter)
{
	if (!(mode & special))
		return mode & bit ? 'x' : '-';
	return mode & bit ? letter : (char)(letter - 'a' + 'A');
}

const char *mode_format(char text[MODE_TEXT], uint32_t mode)
{
	static const char letters[] = "rwxrwxrwx";

	text[0] = types[type_index(mode)].letter;
	for (int i = 0; i < 9; i++)
		text[i + 1] = mode & (0400u >> i) ? letters[i] : '-';
	text[3] = execute(mode, S_IXUSR, S_ISUID, 's');
	text[6] = execute(mode, S_IXGRP, S_ISGID, 's');
	text[9] = execute(mode, S_IXOTH, S_ISVTX, 't');
	text[10] = '\0';
	return text;
}

const char *time_format(char text[TIME_TEXT], const struct mkrootfs_stat *stat, bool precise)
{
	time_t seconds = (time_t)stat->mtime;
	char fraction[16] = "";
	struct tm tm;

	if (precise)
		snprintf(fraction, sizeof(fraction), ".%09u", (unsigned)stat->mtime_nsec);
	if (seconds != stat->mtime || !gmtime_r(&seconds, &tm))
		snprintf(text, TIME_TEXT, "@%lld%s", (long long)stat->mtime, fraction);
	else
		snprintf(text, TIME_TEXT, "%04lld-%02d-%02dT%02d:%02d:%02d%sZ", tm.tm_year + 1900ll,
			 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, fraction);
	return text;
}
