/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A variable that is set and not empty, or NULL. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* A relative value does not count: the XDG base directory specification. */
static const char *xdg(const char *name)
{
	const char *value = variable(name);

	return value && *value == '/' ? value : NULL;
}

/* In a folder of another user, as after su or setpriv: whether it is there cannot even be told. */
static bool is_out_of_reach(const char *path)
{
	return access(path, F_OK) < 0 && errno == EACCES;
}

/* Returns the path as it was added, or NULL. */
__attribute__((format(printf, 2, 3))) static const char *add(struct auth_files *files,
							     const char *format, ...)
{
	char *path = files->paths[files->path_count];
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(path, AUTH_FILE_PATH, format, list);
	va_end(list);
	if (length < 0 || length >= AUTH_FILE_PATH)
		return NULL;
	files->path_count++;
	if (!is_out_of_reach(path))
		files->items[files->count++] = path;
	return path;
}

/* What is gone with the session. */
static void add_runtime(struct auth_files *files)
{
	const char *folder = xdg("XDG_RUNTIME_DIR"), *path;

	if (folder) {
		files->to_write = add(files, "%s/containers/auth.json", folder);
		return;
	}
	path = add(files, "/run/containers/%ld/auth.json", (long)getuid());
	if (path && access(path, R_OK | W_OK) == 0)
		files->to_write = path;
}

static void add_config(struct auth_files *files, const char *home)
{
	const char *folder = xdg("XDG_CONFIG_HOME"), *path = NULL;

	if (folder)
		path = add(files, "%s/containers/auth.json", folder);
	else if (home)
		path = add(files, "%s/.config/containers/auth.json", home);
	if (!files->to_write)
		files->to_write = path;
}

static void add_docker(struct auth_files *files, const char *home)
{
	const char *folder = variable("DOCKER_CONFIG");

	if (folder)
		add(files, "%s/config.json", folder);
	else if (home)
		add(files, "%s/.docker/config.json", home);
	if (home)
		add(files, "%s/.dockercfg", home);
}

void auth_files_find(struct auth_files *files, const char *named)
{
	const char *home = variable("HOME");

	files->count = files->path_count = 0;
	files->to_write = NULL;
	if (!named)
		named = variable("REGISTRY_AUTH_FILE");
	if (named) {
		files->items[files->count++] = files->to_write = named;
		return;
	}
	add_runtime(files);
	add_config(files, home);
	add_docker(files, home);
}

struct mkrootfs_string_list auth_files_list(const struct auth_files *files)
{
	return (struct mkrootfs_string_list){ files->count, files->items };
}

const char *auth_files_to_write(const struct auth_files *files)
{
	return files->to_write;
}
