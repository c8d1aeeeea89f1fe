/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A registries.conf and a name that is asked for in it: the first line is the name, the rest the
 * file. What is found must be names that are read again as they are.
 */
#include "oci/pull_sources.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sources(const struct pull_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct reference *reference = &sources->items[i].reference;
		struct mkrootfs_error error;
		struct reference again;

		if (reference_parse(&again, reference->text, &error) < 0 ||
		    strcmp(again.text, reference->text) != 0)
			abort();
	}
	if (sources->count == 0)
		abort();
}

static void ask(const struct registries_conf *conf, const char *name)
{
	const char *mirror = "[::1]:5000/a";
	const struct pull_sources_options options = { .conf = conf, .mirrors = { 1, &mirror } };
	struct buf full = BUF_INIT(REFERENCE_PATH_SIZE);
	struct mkrootfs_error error;
	struct pull_sources sources;
	struct reference reference;
	bool alias;

	if (registries_conf_resolve(&full, &alias, conf, name, &error) == 0 &&
	    reference_parse(&reference, (char *)full.data, &error) == 0 &&
	    reference.kind == REFERENCE_REGISTRY &&
	    pull_sources_find(&sources, &reference, &options, &error) == 0) {
		check_sources(&sources);
		pull_sources_free(&sources);
	}
	buf_free(&full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
	struct mkrootfs_error error;
	struct registries_conf *conf;
	char *name;

	if (!end)
		return 0;
	name = strndup((const char *)data, (size_t)(end - data));
	size -= (size_t)(end + 1 - data);
	if (registries_conf_create(&conf, &error) < 0)
		abort();
	if (registries_conf_add(conf, "FILE", end + 1, size, &error) == 0)
		ask(conf, name);
	registries_conf_free(conf);
	free(name);
	return 0;
}
