/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where this user's credentials are: the files of podman, skopeo and docker.
 *
 *	struct auth_files files;
 *
 *	auth_files_find(&files, arguments->values[OPTION_AUTHFILE]);
 *	options.registry.auth_files = auth_files_list(&files);
 *	login.auth_file = auth_files_to_write(&files);
 *
 * A file that is named, or REGISTRY_AUTH_FILE, stands alone. Else they are, in this order:
 *	$XDG_RUNTIME_DIR/containers/auth.json; without it, /run/containers/UID/auth.json
 *	${XDG_CONFIG_HOME:-~/.config}/containers/auth.json
 *	${DOCKER_CONFIG:-~/.docker}/config.json
 *	~/.dockercfg
 * but for those in folders that this user may not enter.
 */
#ifndef CLI_AUTH_FILES_H
#define CLI_AUTH_FILES_H

#include <mkrootfs.h>

#define AUTH_FILES_MAX 4
#define AUTH_FILE_PATH 4096 /* bytes with the NUL; longer ones are left out */

struct auth_files {
	char paths[AUTH_FILES_MAX][AUTH_FILE_PATH];
	size_t path_count;
	const char *items[AUTH_FILES_MAX];
	size_t count;
	const char *to_write;
};

/* named: the value of --authfile, or NULL. */
void auth_files_find(struct auth_files *files, const char *named);
/* Lives as long as files. */
struct mkrootfs_string_list auth_files_list(const struct auth_files *files);
/*
 * As podman: the first of them; but without XDG_RUNTIME_DIR the second, unless another tool made
 * the first already. NULL when no variable says where.
 */
const char *auth_files_to_write(const struct auth_files *files);

#endif
