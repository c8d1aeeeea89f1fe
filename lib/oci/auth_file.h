/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of credentials, as containers-auth.json(5) and docker's config.json describe it, and as
 * .dockercfg was before: there the entries stand at the top.
 *
 *	struct auth_file file;
 *	auth_file_load(&file, path, error);			a missing file holds nothing
 *	helper = auth_file_helper(&file, "ghcr.io", error);
 *	auth_file_find(&credentials, &file, "ghcr.io", "owner/name", error);
 *	auth_file_unload(&file);
 */
#ifndef MKROOTFS_OCI_AUTH_FILE_H
#define MKROOTFS_OCI_AUTH_FILE_H

#include "../base/jval.h"
#include "credentials.h"

struct auth_file {
	const char *path;  /* borrowed */
	struct jval *root; /* NULL: no such file, or it is empty */
};

/* Errors name the file and the place in it, and quote nothing of it. */
int auth_file_load(struct auth_file *out, const char *path, struct mkrootfs_error *error);
/* From memory; path is for messages. */
int auth_file_parse(struct auth_file *out, const char *path, const void *data, size_t len,
		    struct mkrootfs_error *error);
/*
 * The entry that is the closest to the repository, among those that hold something; *out stays as
 * it is when there is none. It is to be cleared in any case.
 */
int auth_file_find(struct credentials *out, const struct auth_file *file, const char *registry,
		   const char *repository, struct mkrootfs_error *error);
/* Names of credential helpers, *name NULL when there is none: for this registry, and for all. */
int auth_file_helper(const char **name, const struct auth_file *file, const char *registry,
		     struct mkrootfs_error *error);
int auth_file_store(const char **name, const struct auth_file *file, struct mkrootfs_error *error);
/* The object that holds the entries, or NULL. */
struct jval *auth_file_entries(const struct auth_file *file);
void auth_file_unload(struct auth_file *file);

#endif
