/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of auth files: "ghcr.io", "ghcr.io/owner", "https://index.docker.io/v1/".
 *
 *	rank = auth_key_rank("ghcr.io/owner", "ghcr.io", "owner/name");		> 0: it is for this
 *	if (auth_key_equal("https://ghcr.io/v2/", "ghcr.io")) ...
 *
 * A key is HOST[:PORT][/PATH], as containers-auth.json(5) describes; behind a scheme the path means
 * nothing, as docker writes keys, nor do /v1/ and /v2/. Docker Hub's three names are one.
 */
#ifndef MKROOTFS_OCI_AUTH_KEY_H
#define MKROOTFS_OCI_AUTH_KEY_H

#include <stdbool.h>

/*
 * How closely a key fits a repository ("" for the registry as a whole): 0 when it does not; a
 * longer path ranks higher, and the registry's own name higher than another spelling.
 */
unsigned auth_key_rank(const char *key, const char *registry, const char *repository);
/* Whether both mean the same host and path. */
bool auth_key_equal(const char *a, const char *b);
/* "docker.io" or another name of Docker Hub; the key may hold a scheme and a path. */
bool auth_key_is_hub(const char *key);

#endif
