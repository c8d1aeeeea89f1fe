/* SPDX-License-Identifier: Apache-2.0 */
#include "file_set.h"

int file_set_open(struct file_set *set, struct source **out, uint64_t *size, const char *name,
		  uint64_t offset, struct mkrootfs_error *error)
{
	uint64_t ignored;

	*out = NULL;
	return set->ops->open(set, out, size ? size : &ignored, name, offset, error);
}

int file_set_read(struct buf *out, struct file_set *set, const char *name,
		  struct mkrootfs_error *error)
{
	struct source *source;
	int status = file_set_open(set, &source, NULL, name, 0, error);

	if (status < 0)
		return status;
	status = source_read_all(out, source, error);
	source_close(source);
	return status < 0 ? error_prefix(error, "'%s': ", name) : 0;
}

bool file_set_has(struct file_set *set, const char *name)
{
	struct mkrootfs_error ignored;
	struct source *source;
	int status = file_set_open(set, &source, NULL, name, 0, &ignored);

	source_close(source);
	return status == 0;
}

void file_set_close(struct file_set *set)
{
	if (set)
		set->ops->close(set);
}
