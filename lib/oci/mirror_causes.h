/* SPDX-License-Identifier: Apache-2.0 */
/* Why sources failed, for the one line of an error. */
#ifndef MKROOTFS_OCI_MIRROR_CAUSES_H
#define MKROOTFS_OCI_MIRROR_CAUSES_H

#include "../base/error.h"

#include <stdbool.h>

struct mirror_causes {
	char text[640]; /* each one cut, and those behind the end counted */
	size_t len;
	unsigned left_out;
};

/* "NAME: CAUSE", or only the cause when that names the source. */
void mirror_cause_format(char *out, size_t size, const char *name,
			 const struct mkrootfs_error *cause);
void mirror_causes_add(struct mirror_causes *causes, const char *name,
		       const struct mkrootfs_error *cause);
/* Puts them behind the last source's error, which keeps its status and advice. */
int mirror_causes_append(const struct mirror_causes *causes, struct mkrootfs_error *error);
/* Whether another source may do better: not so for what happened on this machine. */
bool mirror_cause_is_remote(const struct mkrootfs_error *cause);
/* Whether the source could not be reached, or broke off. */
bool mirror_cause_is_network(const struct mkrootfs_error *cause);

#endif
