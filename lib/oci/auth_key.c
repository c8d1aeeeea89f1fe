/* SPDX-License-Identifier: Apache-2.0 */
#include "auth_key.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

struct text {
	const char *at;
	size_t len;
};

struct parts {
	struct text host; /* with its port */
	struct text path; /* without slashes at its ends; empty: the registry as a whole */
	bool plain;	  /* no scheme was there */
};

static bool text_is(struct text text, const char *word)
{
	return text.len == strlen(word) && !strncasecmp(text.at, word, text.len);
}

static const char *behind_scheme(const char *key)
{
	if (!strncasecmp(key, "https://", 8))
		return key + 8;
	return strncasecmp(key, "http://", 7) ? key : key + 7;
}

static struct parts split(const char *key)
{
	const char *host = behind_scheme(key);
	struct parts parts = { .plain = host == key };
	struct text *path = &parts.path;

	parts.host = (struct text){ host, strcspn(host, "/") };
	path->at = host + parts.host.len;
	if (!parts.plain)
		return parts;
	path->at += strspn(path->at, "/");
	path->len = strlen(path->at);
	while (path->len > 0 && path->at[path->len - 1] == '/')
		path->len--;
	return parts;
}

static bool is_hub(struct text host)
{
	return text_is(host, "docker.io") || text_is(host, "index.docker.io") ||
	       text_is(host, "registry-1.docker.io");
}

static bool same_host(struct text a, struct text b)
{
	return (a.len == b.len && !strncasecmp(a.at, b.at, a.len)) || (is_hub(a) && is_hub(b));
}

/* The path is the repository, or a namespace above it. */
static bool holds(struct text path, const char *repository)
{
	return path.len > 0 && !strncmp(path.at, repository, path.len) &&
	       (repository[path.len] == '\0' || repository[path.len] == '/');
}

/* Of a registry as a whole; old clients put the version of its API behind its name. */
static bool is_whole(struct text path)
{
	return path.len == 0 || text_is(path, "v1") || text_is(path, "v2");
}

unsigned auth_key_rank(const char *key, const char *registry, const char *repository)
{
	const struct text wanted = { registry, strlen(registry) };
	struct parts parts = split(key);
	unsigned own = parts.plain && text_is(parts.host, registry);

	if (!same_host(parts.host, wanted))
		return 0;
	if (holds(parts.path, repository))
		return 4 + 2 * (unsigned)parts.path.len + own;
	return is_whole(parts.path) ? 2 + (own && parts.path.len == 0) : 0;
}

bool auth_key_equal(const char *a, const char *b)
{
	struct parts one = split(a), two = split(b);

	if (!same_host(one.host, two.host))
		return false;
	if (one.path.len == two.path.len && !memcmp(one.path.at, two.path.at, one.path.len))
		return true;
	return is_whole(one.path) && is_whole(two.path);
}

bool auth_key_is_hub(const char *key)
{
	return is_hub(split(key).host);
}
