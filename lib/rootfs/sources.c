/* SPDX-License-Identifier: Apache-2.0 */
#include "sources.h"

#include "../oci/mirrors.h"
#include "../oci/pull_sources.h"
#include "../oci/registry.h"
#include "cert_dir.h"
#include "registries_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where others can be asked too, one that does not answer is not asked for long. */
#define RETRIES_BEFORE_OTHERS 1

struct sources {
	const struct mkrootfs_registry_options *options;
	struct events *events;
	struct registries_conf *conf;
	struct pull_sources list;
	char **cert_dirs; /* by source; NULL: none */
};

int sources_create(struct sources **out, const struct mkrootfs_registry_options *options,
		   struct events *events, struct mkrootfs_error *error)
{
	struct sources *sources = calloc(1, sizeof(*sources));
	int status;

	*out = NULL;
	if (!sources)
		return error_no_memory(error);
	sources->options = options;
	sources->events = events;
	status = registries_files_read(&sources->conf, &options->registries_conf, error);
	if (status < 0)
		sources_free(sources);
	else
		*out = sources;
	return status;
}

void sources_free(struct sources *sources)
{
	if (!sources)
		return;
	for (size_t i = 0; sources->cert_dirs && i < sources->list.count; i++)
		free(sources->cert_dirs[i]);
	free(sources->cert_dirs);
	pull_sources_free(&sources->list);
	registries_conf_free(sources->conf);
	free(sources);
}

/* Most aliases that distributions ship mean docker.io, which the name says without them too. */
static bool is_news(const char *text, const char *full)
{
	struct reference as_written, as_alias;
	struct mkrootfs_error ignored;

	return reference_parse(&as_written, text, &ignored) < 0 ||
	       reference_parse(&as_alias, full, &ignored) < 0 ||
	       strcmp(as_written.text, as_alias.text) != 0;
}

int sources_resolve_name(struct buf *out, const struct sources *sources, const char *text,
			 struct mkrootfs_error *error)
{
	struct mkrootfs_error note;
	bool alias;

	if (registries_conf_resolve(out, &alias, sources->conf, text, error) < 0)
		return error->status;
	if (alias && is_news(text, (const char *)out->data)) {
		error_set(&note, MKROOTFS_OK, "'%.200s' is an alias of %.400s", text,
			  (const char *)out->data);
		events_warn(sources->events, note.message);
	}
	return 0;
}

/* ---- Transports ---- */

static bool is_last(const struct sources *sources, size_t index)
{
	return index + 1 == sources->list.count;
}

/* What was given for the registry of the reference is nobody else's business. */
static void forget_credentials(struct mkrootfs_registry_options *settings)
{
	settings->username = NULL;
	settings->password = NULL;
}

static int open_one(struct transport **out, const struct sources *sources, size_t index,
		    const struct reference *asked, struct mkrootfs_error *error)
{
	const struct pull_source *source = &sources->list.items[index];
	struct registry_options options = { .settings = *sources->options,
					    .wait = events_wait,
					    .wait_user = sources->events,
					    .warn = events_warn,
					    .warn_user = sources->events };

	*out = NULL;
	if (strcmp(source->reference.registry, asked->registry) != 0)
		forget_credentials(&options.settings);
	if (source->insecure)
		options.settings.insecure_tls = 1;
	if (options.settings.retries == 0 && !is_last(sources, index))
		options.settings.retries = RETRIES_BEFORE_OTHERS;
	if (!options.settings.cert_dir) {
		if (cert_dir_find(&sources->cert_dirs[index], &sources->options->certs_dirs,
				  source->reference.registry, error) < 0)
			return error->status;
		options.settings.cert_dir = sources->cert_dirs[index];
	}
	return registry_open(out, &source->reference, &options, error);
}

static void name_source(char *out, size_t size, const struct reference *reference)
{
	snprintf(out, size, "%s/%s", reference->registry, reference->repository);
}

static int open_mirrors(struct transport **out, struct mirror_source *mirrors,
			const struct sources *sources, const struct reference *reference,
			struct mkrootfs_error *error)
{
	const struct mirrors_options options = { .reference = reference,
						 .warn = events_warn,
						 .warn_user = sources->events };
	size_t count = sources->list.count,
	       name_size = sizeof(reference->registry) + sizeof(reference->repository) + 1;
	char *names = calloc(count, name_size);
	int status = names ? 0 : error_no_memory(error);

	for (size_t i = 0; status == 0 && i < count; i++) {
		name_source(names + i * name_size, name_size, &sources->list.items[i].reference);
		mirrors[i].name = names + i * name_size;
		status = open_one(&mirrors[i].transport, sources, i, reference, error);
	}
	if (status == 0)
		status = mirrors_open(out, mirrors, count, &options, error);
	else
		for (size_t i = 0; i < count; i++)
			transport_close(mirrors[i].transport);
	free(names);
	return status;
}

/* One source under the asked name needs nothing around it. */
static bool is_plain(const struct sources *sources, const struct reference *reference)
{
	return sources->list.count == 1 &&
	       !strcmp(sources->list.items[0].reference.text, reference->text);
}

int sources_open(struct transport **out, struct sources *sources, const struct reference *reference,
		 struct mkrootfs_error *error)
{
	const struct pull_sources_options options = { .conf = sources->conf,
						      .mirrors = sources->options->mirrors };
	struct mirror_source *mirrors;
	int status = pull_sources_find(&sources->list, reference, &options, error);

	*out = NULL;
	if (status < 0)
		return status;
	sources->cert_dirs = calloc(sources->list.count, sizeof(*sources->cert_dirs));
	mirrors = calloc(sources->list.count, sizeof(*mirrors));
	if (!sources->cert_dirs || !mirrors)
		status = error_no_memory(error);
	else if (is_plain(sources, reference))
		status = open_one(out, sources, 0, reference, error);
	else
		status = open_mirrors(out, mirrors, sources, reference, error);
	free(mirrors);
	return status;
}
