/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One entry of an auth file: what a user is known by to one registry.
 *
 *	if (auth_entry_holds_something(jval_get(auth_file_entries(&file), key)))
 *		auth_entry_take(&credentials, &file, key, error);
 */
#ifndef MKROOTFS_OCI_AUTH_ENTRY_H
#define MKROOTFS_OCI_AUTH_ENTRY_H

#include "auth_file.h"

/* Entries are empty where a helper keeps what they stand for. */
bool auth_entry_holds_something(const struct jval *entry);
/* *out is to be cleared in any case. */
int auth_entry_take(struct credentials *out, const struct auth_file *file, const char *key,
		    struct mkrootfs_error *error);
/* "auth file 'PATH': 'KEY': WHY"; nothing of the entry is quoted. */
int auth_entry_refuse(const struct auth_file *file, const char *key, const char *why,
		      struct mkrootfs_error *error);

#endif
