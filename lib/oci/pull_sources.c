/* SPDX-License-Identifier: Apache-2.0 */
#include "pull_sources.h"

#include "grammar.h"

#include <stdlib.h>
#include <string.h>

/* The name with its registry first: prefixes know no transport. */
static const char *name_of(const struct reference *reference)
{
	return strncmp(reference->text, "docker://", 9) ? reference->text : reference->text + 9;
}

static int blocked(const char *what, const struct registries_entry *entry,
		   struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_DENIED,
			 "%.300s: '%.200s' is blocked by '%s', line %u", what, entry->prefix,
			 entry->file, entry->line);
}

/* ---- Rewriting ---- */

static int check_location(const char *location, const char *rest, struct mkrootfs_error *error)
{
	size_t host = strcspn(location, "/");
	const char *last = strrchr(location, '/');

	if (strstr(location, "://"))
		return error_set(error, MKROOTFS_ERROR_INVALID, "leave out the URL's scheme");
	if (!grammar_is_host(location, host))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "'%.*s' is no registry: it has no '.' or ':'", (int)host,
				 location);
	/* The prefix took the tag or digest, so nothing else names one. */
	if (!*rest && !(last && strpbrk(last, ":@")))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "it has no tag or digest, as its prefix has");
	return 0;
}

/* What the location makes of rest, with the tag and digest that were asked for. */
static int rewrite(struct reference *out, const char *location, const char *rest,
		   struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(REFERENCE_TEXT_SIZE);
	int status = check_location(location, rest, error);

	if (status == 0)
		status = buf_printf(&text, error, "docker://%s%s", location, rest);
	if (status == 0)
		status = reference_parse(out, (char *)text.data, error);
	buf_free(&text);
	return status;
}

/* A slash at its end is allowed, as in the configuration. */
static int add_given_mirror(struct pull_source *out, const char *mirror,
			    const struct reference *asked, struct mkrootfs_error *error)
{
	const char *rest = name_of(asked) + strlen(asked->registry);
	size_t len = strlen(mirror);
	char *location;
	int status;

	while (len > 0 && mirror[len - 1] == '/')
		len--;
	location = strndup(mirror, len);
	if (!location)
		return error_no_memory(error);
	status = rewrite(&out->reference, location, rest, error);
	free(location);
	return status < 0 ? error_prefix(error, "mirror '%.200s': ", mirror) : 0;
}

static int add_location(struct pull_source *out, const char *location, bool insecure,
			const struct registries_entry *entry, const struct reference *asked,
			struct mkrootfs_error *error)
{
	const char *rest = name_of(asked) + registries_entry_match(entry, name_of(asked));

	out->insecure = insecure;
	if (rewrite(&out->reference, location, rest, error) == 0)
		return 0;
	return error_prefix(error, "'%s', line %u: location '%.200s': ", entry->file, entry->line,
			    location);
}

/* ---- Collecting ---- */

struct collection {
	struct pull_sources *sources;
	const struct reference *asked;
	const struct pull_sources_options *options;
	const struct registries_entry *entry; /* for the asked name, or NULL */
	struct mkrootfs_error *error;	      /* of a failure, or why the last name was left out */
};

static struct pull_source *next_item(struct collection *c)
{
	return &c->sources->items[c->sources->count];
}

/* Keeps the item that was just filled, unless the name it leads to is blocked. */
static void keep(struct collection *c)
{
	const char *name = name_of(&next_item(c)->reference);
	const struct registries_entry *entry =
		c->options->conf ? registries_conf_find(c->options->conf, name) : NULL;

	if (entry && entry != c->entry && entry->blocked)
		blocked(name, entry, c->error);
	else
		c->sources->count++;
}

static int add_given_mirrors(struct collection *c)
{
	const struct mkrootfs_string_list *mirrors = &c->options->mirrors;

	for (size_t i = 0; i < mirrors->count; i++) {
		if (add_given_mirror(next_item(c), mirrors->items[i], c->asked, c->error) < 0)
			return c->error->status;
		keep(c);
	}
	return 0;
}

static bool is_for(const struct registries_mirror *mirror, const struct reference *asked)
{
	return mirror->use == MIRROR_FOR_ALL ||
	       (mirror->use == MIRROR_FOR_DIGESTS) == asked->has_digest;
}

static int add_mirrors(struct collection *c)
{
	const struct registries_entry *entry = c->entry;

	for (size_t i = 0; i < (entry ? entry->mirror_count : 0); i++) {
		const struct registries_mirror *mirror = &entry->mirrors[i];

		if (!is_for(mirror, c->asked))
			continue;
		if (add_location(next_item(c), mirror->location, mirror->insecure, entry, c->asked,
				 c->error) < 0)
			return c->error->status;
		keep(c);
	}
	return 0;
}

static int add_primary(struct collection *c)
{
	const struct registries_entry *entry = c->entry;

	if (entry && entry->location) {
		if (add_location(next_item(c), entry->location, entry->insecure, entry, c->asked,
				 c->error) < 0)
			return c->error->status;
	} else {
		next_item(c)->reference = *c->asked;
		next_item(c)->insecure = entry && entry->insecure;
	}
	keep(c);
	return 0;
}

static int collect(struct collection *c)
{
	size_t most = c->options->mirrors.count + (c->entry ? c->entry->mirror_count : 0) + 1;

	c->sources->items = calloc(most, sizeof(*c->sources->items));
	if (!c->sources->items)
		return error_no_memory(c->error);
	if (add_given_mirrors(c) < 0 || add_mirrors(c) < 0 || add_primary(c) < 0)
		return c->error->status;
	return c->sources->count > 0 ? 0 : c->error->status;
}

int pull_sources_find(struct pull_sources *out, const struct reference *asked,
		      const struct pull_sources_options *options, struct mkrootfs_error *error)
{
	struct collection c = {
		.sources = out, .asked = asked, .options = options, .error = error
	};
	int status;

	*out = (struct pull_sources){ 0 };
	if (options->conf)
		c.entry = registries_conf_find(options->conf, name_of(asked));
	status =
		c.entry && c.entry->blocked ? blocked(name_of(asked), c.entry, error) : collect(&c);
	if (status < 0)
		pull_sources_free(out);
	return status;
}

void pull_sources_free(struct pull_sources *sources)
{
	free(sources->items);
	*sources = (struct pull_sources){ 0 };
}
