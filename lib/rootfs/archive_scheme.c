/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_scheme.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static bool has(const struct tree *tree, const char *name, mode_t type)
{
	uint32_t node = tree_lookup(tree, TREE_ROOT, name, strlen(name));

	return node && (tree_inode_of(tree, node)->mode & S_IFMT) == type;
}

static bool begins_with_digest(const char *name, size_t len)
{
	for (size_t i = 0; i < 64; i++)
		if (i >= len || !memchr("0123456789abcdef", name[i], 16))
			return false;
	return true;
}

/* The older form has a file or a folder for each layer, and the config, named by their digests. */
static bool has_digests(const struct tree *tree)
{
	for (uint32_t node = tree_first_child(tree, TREE_ROOT); node;
	     node = tree_next_child(tree, node)) {
		size_t len;
		const char *name = tree_name(tree, node, &len);

		if (begins_with_digest(name, len))
			return true;
	}
	return false;
}

const char *archive_scheme(const struct tree *tree)
{
	if (has(tree, "manifest.json", S_IFREG) &&
	    (has(tree, "repositories", S_IFREG) || has(tree, "oci-layout", S_IFREG) ||
	     has_digests(tree)))
		return "docker-archive:";
	if (has(tree, "oci-layout", S_IFREG) && has(tree, "index.json", S_IFREG) &&
	    has(tree, "blobs", S_IFDIR))
		return "oci-archive:";
	return NULL;
}
