/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_target.h"

#include "grammar.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A repository below the target, whatever it is: its name is never asked for. */
#define BELOW "/x"
#define SCHEME "docker://" /* what follows is a host, even one with the name of a transport */

static int refuse(const char *text, struct mkrootfs_error *error)
{
	if (!*text)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "the name of the registry is empty");
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "'%.200s' is no registry: it should be HOST[:PORT][/NAMESPACE], its host "
			 "with a dot or a port, or localhost",
			 text);
}

/* The host alone behind a scheme, else all but slashes at the end. */
static size_t host_length(const char **host, const char *text)
{
	size_t len;

	*host = text;
	if (!strncasecmp(text, "https://", 8))
		*host = text + 8;
	else if (!strncasecmp(text, "http://", 7))
		*host = text + 7;
	if (*host != text)
		return strcspn(*host, "/");
	for (len = strlen(text); len > 0 && text[len - 1] == '/'; len--)
		;
	return len;
}

int auth_target_parse(struct auth_target *out, const char *text, struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;
	char name[sizeof(SCHEME) + sizeof(out->key) + sizeof(BELOW)];
	const char *host, *slash;
	size_t len = host_length(&host, text);

	memset(out, 0, sizeof(*out));
	if (len == 0 || len >= sizeof(out->key))
		return refuse(text, error);
	snprintf(name, sizeof(name), SCHEME "%.*s" BELOW, (int)len, host);
	slash = memchr(host, '/', len);
	/* What is no host would be taken for a part of Docker Hub's name. */
	if (!grammar_is_host(host, slash ? (size_t)(slash - host) : len) ||
	    reference_parse(&out->reference, name, &ignored) < 0)
		return refuse(text, error);
	if (slash)
		snprintf(out->path, sizeof(out->path), "%.*s", (int)(host + len - slash - 1),
			 slash + 1);
	snprintf(out->key, sizeof(out->key), "%s%s%s", out->reference.registry, slash ? "/" : "",
		 out->path);
	return 0;
}
