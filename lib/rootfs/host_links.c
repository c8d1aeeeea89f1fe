/* SPDX-License-Identifier: Apache-2.0 */
#include "host_links.h"

#include <stdlib.h>
#include <string.h>

static int make_room(struct host_links *links, uint32_t number, struct mkrootfs_error *error)
{
	uint32_t room = number * 2 + 64;
	uint32_t *inodes;

	if (number < links->room)
		return 0;
	inodes = realloc(links->inodes, room * sizeof(*inodes));
	if (!inodes)
		return error_no_memory(error);
	memset(inodes + links->room, 0, (room - links->room) * sizeof(*inodes));
	links->inodes = inodes;
	links->room = room;
	return 0;
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
