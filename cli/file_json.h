/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of an image as a JSON object on one line, all that the image knows of it:
 *
 *	{"path":"/bin/ping","type":"file","mode":"0755","inode":40,"links":1,"uid":0,"gid":0,
 *	 "size":9,"mtime":1700000000,"mtime_nsec":0,
 *	 "xattrs":[{"name":"security.capability","base64":"AQAAAgAgAAAAAAAAAAAAAAAAAAA="}],
 *	 "data":{"file":"/s/images/0/1.erofs","offset":4096,"layer":"sha256:1"}}
 *
 * and "target" of a symbolic link, "major" and "minor" of a device. JSON holds text alone: where
 * bytes are no UTF-8, a second key such as "path_base64" has all of them.
 */
#ifndef CLI_FILE_JSON_H
#define CLI_FILE_JSON_H

#include <stdio.h>

#include "tree_operand.h"

/* target may be NULL. Returns a status of the library. */
int print_file_json(FILE *out, const struct tree_operand *place, const char *path,
		    const struct mkrootfs_stat *stat, const char *target,
		    struct mkrootfs_error *error);

#endif
