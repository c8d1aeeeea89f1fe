/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What containers-registries.conf(5), version 2, says about registries: which names they are
 * reached under, their mirrors, which are forbidden, and short names.
 *
 *	registries_conf_create(&conf, error);
 *	registries_conf_add(conf, path, data, len, error);	for each file
 *	registries_conf_resolve(&full, conf, "fedora:40", error);
 *	entry = registries_conf_find(conf, "docker.io/library/x:1");
 *	registries_conf_free(conf);
 *
 * Of tables with one prefix, and of aliases with one name, those of a later file count; in one file
 * the first table does, as in other programs. Unknown keys are passed over, since other programs
 * own them; known ones of a wrong type are errors. Version 1 is refused.
 */
#ifndef MKROOTFS_OCI_REGISTRIES_CONF_H
#define MKROOTFS_OCI_REGISTRIES_CONF_H

#include "../base/buf.h"

#include <stdbool.h>

enum mirror_use { MIRROR_FOR_ALL, MIRROR_FOR_DIGESTS, MIRROR_FOR_TAGS };

/* "HOST[:PORT][/PATH]", without slashes at its end. */
struct registries_mirror {
	char *location;
	bool insecure;
	enum mirror_use use;
};

/* A [[registry]] table. */
struct registries_entry {
	char *prefix;	/* or "*.DOMAIN" */
	char *location; /* what stands in the place of the prefix; NULL: the prefix itself */
	bool insecure, blocked;
	struct registries_mirror *mirrors; /* in the order to ask them */
	size_t mirror_count;
	unsigned file_number; /* by the order of reading */
	char *file;	      /* for messages */
	unsigned line;
};

struct registries_conf;

int registries_conf_create(struct registries_conf **out, struct mkrootfs_error *error);
/* NULL is allowed. */
void registries_conf_free(struct registries_conf *conf);
/* file is for messages, which name it. After a failure conf is only to be freed. */
int registries_conf_add(struct registries_conf *conf, const char *file, const void *data,
			size_t len, struct mkrootfs_error *error);

/*
 * The table with the longest prefix of a reference in canonical form, or NULL. Behind a prefix
 * comes the end, '/', ':' or '@'; so, as in other programs, "example.com" covers all its ports.
 */
const struct registries_entry *registries_conf_find(const struct registries_conf *conf,
						    const char *reference);
/* How many bytes of the reference the table's prefix covers; 0: it does not match. */
size_t registries_entry_match(const struct registries_entry *entry, const char *reference);

/*
 * Appends a reference as a user wrote it, a short name replaced by what it is an alias of; *alias
 * tells whether. Names that no alias has stay as they are: nothing is searched.
 */
int registries_conf_resolve(struct buf *out, bool *alias, const struct registries_conf *conf,
			    const char *text, struct mkrootfs_error *error);

#endif
