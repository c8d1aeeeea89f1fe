/* SPDX-License-Identifier: Apache-2.0 */
/* One file of registries.conf, from TOML to the tables of registries_conf.h. */
#ifndef MKROOTFS_OCI_REGISTRIES_READ_H
#define MKROOTFS_OCI_REGISTRIES_READ_H

#include "../base/toml.h"
#include "registries_conf.h"

/* Fills *out, zeroed before; free it in any case. Errors name the line. */
int registries_read_entry(struct registries_entry *out, const struct toml_value *table,
			  struct mkrootfs_error *error);
void registries_entry_free(struct registries_entry *entry);
/* The tables of an array of tables, NULL when there are none; anything else is an error. */
int registries_read_tables(const struct toml_value **first, const struct toml_value *parent,
			   const char *key, struct mkrootfs_error *error);
/* Whether the document is of version 1, which is refused. */
int registries_refuse_v1(const struct toml_value *root, struct mkrootfs_error *error);
/* MALFORMED, with the line of the value. */
int registries_fail(const struct toml_value *value, struct mkrootfs_error *error,
		    const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
