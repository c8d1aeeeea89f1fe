/* SPDX-License-Identifier: Apache-2.0 */
#include "host_links.h"

#include "../base/array.h"

#include <stdlib.h>
#include <string.h>

/* Numbers grow by one. */
static int make_room(struct host_links *links, uint32_t number, struct mkrootfs_error *error)
{
	size_t before = links->room;
	int status =
		array_reserve(&links->inodes, &links->room, number, sizeof(*links->inodes), error);

	if (links->room > before)
		memset(links->inodes + before, 0, (links->room - before) * sizeof(*links->inodes));
	return status;
}

int host_links_find(struct host_links *links, uint32_t *number, uint32_t *known, uint64_t group,
		    const struct stat *st, struct mkrootfs_error *error)
{
	const uint64_t key[3] = { (uint64_t)st->st_dev, (uint64_t)st->st_ino, group };

	if (intern_add(&links->files, number, key, sizeof(key), error) < 0 ||
	    make_room(links, *number, error) < 0)
		return error->status;
	*known = links->inodes[*number];
	return 0;
}

void host_links_free(struct host_links *links)
{
	intern_free(&links->files);
	free(links->inodes);
	*links = (struct host_links){ 0 };
}
