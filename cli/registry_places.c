/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SYSTEM "/etc/containers/"

/* An empty string when there is no home, or no room. */
static void in_home(char *path, size_t size, const char *name)
{
	const char *home = getenv("HOME");
	int length = -1;

	if (home && *home == '/')
		length = snprintf(path, size, "%s/.config/containers/%s", home, name);
	if (length < 0 || (size_t)length >= size)
		path[0] = '\0';
}

static size_t add_if_there(const char **list, size_t count, const char *path)
{
	if (*path && access(path, F_OK) == 0)
		list[count++] = path;
	return count;
}

/*
 * CONTAINERS_REGISTRIES_CONF alone; or the user's file with the user's folder; or the system's file
 * and folder, and the user's folder.
 */
static size_t find_conf(struct registry_places *places)
{
	const char *alone = getenv("CONTAINERS_REGISTRIES_CONF");
	size_t count;

	if (alone && *alone) {
		places->conf[0] = alone;
		return 1;
	}
	in_home(places->home_conf, sizeof(places->home_conf), "registries.conf");
	in_home(places->home_conf_folder, sizeof(places->home_conf_folder), "registries.conf.d");
	count = add_if_there(places->conf, 0, places->home_conf);
	if (count == 0) {
		count = add_if_there(places->conf, count, SYSTEM "registries.conf");
		count = add_if_there(places->conf, count, SYSTEM "registries.conf.d");
	}
	return add_if_there(places->conf, count, places->home_conf_folder);
}

static size_t find_certs(struct registry_places *places)
{
	size_t count;

	in_home(places->home_certs, sizeof(places->home_certs), "certs.d");
	count = add_if_there(places->certs, 0, places->home_certs);
	count = add_if_there(places->certs, count, SYSTEM "certs.d");
	return add_if_there(places->certs, count, "/etc/docker/certs.d");
}

void registry_places_fill(struct mkrootfs_registry_options *out, struct registry_places *places,
			  const struct arguments *arguments)
{
	size_t conf = arguments_values(places->conf, arguments, OPTION_REGISTRIES_CONF);
	size_t mirrors = arguments_values(places->mirrors, arguments, OPTION_MIRROR);
	size_t hosts = arguments_values(places->token_hosts, arguments, OPTION_TOKEN_HOST);

	if (conf == 0)
		conf = find_conf(places);
	out->registries_conf = (struct mkrootfs_string_list){ conf, places->conf };
	out->mirrors = (struct mkrootfs_string_list){ mirrors, places->mirrors };
	out->token_hosts = (struct mkrootfs_string_list){ hosts, places->token_hosts };
	out->certs_dirs = (struct mkrootfs_string_list){ find_certs(places), places->certs };
}
