/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Image layouts for tests, made below a temporary folder.
 *
 *	struct maker m;
 *	maker_open(&m);
 *	maker_blob(&m, "bytes");		m.digest and m.size are those of the last blob
 *	maker_index(&m, "{'manifests':[...]}");	with ' in the place of "
 *	maker_close(&m);			removes everything
 */
#ifndef TESTS_OCI_LAYOUT_MAKER_H
#define TESTS_OCI_LAYOUT_MAKER_H

#include "base/digest.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct maker {
	char path[64];
	char digest[DIGEST_TEXT_SIZE];
	size_t size;
};

static inline void maker_file(const struct maker *m, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", m->path, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static inline void maker_quote(char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			*text = '"';
}

static inline void maker_open(struct maker *m)
{
	char path[128];

	strcpy(m->path, "/tmp/mkrootfs-layout-XXXXXX");
	assert_non_null(mkdtemp(m->path));
	snprintf(path, sizeof(path), "%s/blobs", m->path);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/blobs/sha256", m->path);
	assert_int_equal(mkdir(path, 0700), 0);
	maker_file(m, "oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
}

/* text is the content of a blob whose JSON, if it is some, is written with '. */
static inline void maker_blob(struct maker *m, const char *text)
{
	struct mkrootfs_error error;
	struct digest digest;
	char name[DIGEST_TEXT_SIZE + 16], *copy = strdup(text);

	maker_quote(copy);
	assert_int_equal(digest_of(&digest, DIGEST_SHA256, copy, strlen(copy), &error), 0);
	digest_format(m->digest, &digest);
	m->size = strlen(copy);
	snprintf(name, sizeof(name), "blobs/sha256/%s", m->digest + 7);
	maker_file(m, name, copy);
	free(copy);
}

static inline void maker_index(const struct maker *m, const char *text)
{
	char *copy = strdup(text);

	maker_quote(copy);
	maker_file(m, "index.json", copy);
	free(copy);
}

static inline int maker_remove(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void maker_close(const struct maker *m)
{
	nftw(m->path, maker_remove, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
