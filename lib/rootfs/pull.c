/* SPDX-License-Identifier: Apache-2.0 */
#include "pull.h"

#include "config_cache.h"
#include "fetch_image.h"
#include "image.h"
#include "limits.h"
#include "local_image.h"
#include "name.h"
#include "open_transport.h"
#include "place_hint.h"
#include "sources.h"

#include <string.h>

struct pull {
	const struct mkrootfs_pull_options *options;
	struct mkrootfs_limits limits;
	struct platform platform;
	struct reference reference;
	char name[REFERENCE_TEXT_SIZE]; /* to be recorded; empty: the reference itself */
	struct digest named;		/* that the name pins; zeros: none */
	bool fresh;		/* the layer was brought in while the transport was opened */
	struct made_layer made; /* what it holds; its tree is owned until fetch_image takes it */
	struct mkrootfs_layer_times times; /* of that layer, when asked for */
	struct sources *sources;
	struct transport *transport;
	struct resolved_image *resolved;
	struct store *store;
	struct events events;
};

static int open_place(struct pull *p, struct mkrootfs_error *error)
{
	struct opening opening = { .reference = &p->reference,
				   .sources = p->sources,
				   .platform = &p->platform,
				   .limits = &p->limits,
				   .events = &p->events,
				   .store_path = p->options->store,
				   .store = &p->store,
				   .threads = p->options->threads,
				   .times = p->options->times ? &p->times : NULL };
	int status = open_transport(&p->transport, &opening, error);

	if (!p->name[0])
		strcpy(p->name, opening.name);
	p->fresh = opening.fresh;
	p->made = opening.made;
	return status < 0 ? status : config_cache_wrap(&p->transport, p->options->store, error);
}

/* A short name may be an alias. */
static int resolve_name(struct pull *p, struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(2 * REFERENCE_PATH_SIZE);
	int status = sources_create(&p->sources, &p->options->registry, &p->events, error);

	if (status == 0)
		status = sources_resolve_name(&text, p->sources, p->options->reference, error);
	if (status == 0)
		status = name_parse(&p->reference, (char *)text.data, error);
	buf_free(&text);
	return status;
}

/* What the options say in words. */
static int parse_options(struct pull *p, struct mkrootfs_error *error)
{
	struct reference given;
	int status = name_parse(&p->reference, p->options->reference, error);

	if (status == 0 && p->reference.kind == REFERENCE_REGISTRY)
		status = resolve_name(p, error);
	if (status == 0 && p->options->name) {
		status = name_parse_given(&given, p->options->name, error);
		strcpy(p->name, given.text);
		p->named = given.has_digest ? given.digest : p->named;
	}
	if (p->options->platform)
		return status < 0 ? status
				  : platform_parse(&p->platform, p->options->platform, error);
	platform_host(&p->platform);
	return status;
}

static uint64_t blob_bytes(const struct manifest *manifest)
{
	uint64_t total = 0;

	for (size_t i = 0; i < manifest->layer_count; i++)
		total += (uint64_t)manifest->layers[i].size;
	return total;
}

/* A name with a digest says what the image is; it may be that of the index it is out of. */
static int check_name(const struct pull *p, struct mkrootfs_error *error)
{
	char actual[DIGEST_TEXT_SIZE];

	if (!p->named.algorithm || digest_equal(&p->named, &p->resolved->manifest_digest) ||
	    (p->reference.has_digest && digest_equal(&p->named, &p->reference.digest)))
		return 0;
	digest_format(actual, &p->resolved->manifest_digest);
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "the name '%.300s' is not this image's, whose digest is %s",
			 p->options->name, actual);
}

static int resolve(struct pull *p, struct mkrootfs_error *error)
{
	const struct resolve_options options = { .platform = p->platform,
						 .max_layers = p->limits.layers,
						 .platform_is_default = !p->options->platform };
	int status = open_place(p, error);

	if (status == 0)
		status = resolve_image(&p->resolved, p->transport, &p->reference, &options, error);
	if (status == 0)
		status = check_name(p, error);
	if (status < 0)
		return status;
	if (p->name[0])
		strcpy(p->resolved->reference, p->name);
	if (*p->resolved->warning)
		events_warn(&p->events, p->resolved->warning);
	p->events.layer_count = (uint32_t)p->resolved->manifest.layer_count;
	p->events.total = blob_bytes(&p->resolved->manifest);
	digest_format(p->events.digest, &p->resolved->manifest_digest);
	return events_report(&p->events, MKROOTFS_EVENT_RESOLVED, 0, error);
}

static int fetch(struct pull *p, struct mkrootfs_image **image, struct mkrootfs_error *error)
{
	struct fetch_image fetch = { .transport = p->transport,
				     .resolved = p->resolved,
				     .limits = p->limits,
				     .jobs = p->options->jobs,
				     .threads = p->options->threads,
				     .times = p->options->times,
				     .keep_partial = p->reference.kind == REFERENCE_REGISTRY &&
						     !p->options->no_partial,
				     .fresh = p->fresh,
				     .made = p->made,
				     .fresh_times = p->fresh ? &p->times : NULL,
				     .events = &p->events };
	int status = 0;

	if (!p->store)
		status = store_open(&p->store, p->options->store, STORE_WRITE, error);
	if (status < 0)
		return status;
	fetch.store = p->store;
	p->made.tree = NULL;
	return fetch_image(image, &fetch, error);
}

/* Of any platform where nobody asked for one and nothing else can be had. */
static int open_local(struct pull *p, struct mkrootfs_image **image, bool any_platform,
		      struct mkrootfs_error *error)
{
	const struct platform *platform =
		any_platform && !p->options->platform ? NULL : &p->platform;
	const char *name = p->name[0] ? p->name : p->reference.text;
	int status = local_image_open(image, p->options->store, name, platform, error);

	return status < 0 || !*image ? status : local_image_report(*image, &p->events, error);
}

/* With error, the reason why the source gave no image. */
static int fall_back(struct pull *p, struct mkrootfs_image **image, struct mkrootfs_error *error)
{
	struct mkrootfs_error reason = *error;

	if (reason.status == MKROOTFS_ERROR_CANCELLED || open_local(p, image, true, error) < 0 ||
	    !*image) {
		*error = reason;
		return reason.status;
	}
	error_prefix(&reason, "the image that the store has is taken: ");
	events_warn(&p->events, reason.message);
	return 0;
}

static int ask(struct pull *p, struct mkrootfs_image **image, struct mkrootfs_error *error)
{
	int status = resolve(p, error);

	if (status == 0)
		return fetch(p, image, error);
	if (p->options->policy == MKROOTFS_PULL_NEWER)
		status = fall_back(p, image, error);
	if (status < 0 && p->reference.kind <= REFERENCE_REGISTRY)
		place_hint(error, p->options->reference);
	return status;
}

static int pull_by_policy(struct pull *p, struct mkrootfs_image **image,
			  struct mkrootfs_error *error)
{
	enum mkrootfs_pull_policy policy = p->options->policy;
	int status = 0;

	if (policy != MKROOTFS_PULL_ALWAYS && !p->name[0] && reference_is_stdin(&p->reference))
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "what comes by standard input has no name of its own: a pull "
				 "policy but \"always\" needs a name for it");
	if (policy == MKROOTFS_PULL_MISSING || policy == MKROOTFS_PULL_NEVER)
		status = open_local(p, image, policy == MKROOTFS_PULL_NEVER, error);
	if (status < 0 || *image)
		return status;
	if (policy != MKROOTFS_PULL_NEVER)
		return ask(p, image, error);
	return error_set(error, MKROOTFS_ERROR_NOT_FOUND,
			 "'%s' is not in the store, and the pull policy is to ask nobody",
			 p->name[0] ? p->name : p->reference.text);
}

int pull(struct mkrootfs_image **image, const struct mkrootfs_pull_options *options,
	 struct mkrootfs_error *error)
{
	struct pull p = { .options = options,
			  .limits = limits_or_defaults(&options->limits),
			  .events = { .fn = options->events, .user = options->events_user } };
	int status = parse_options(&p, error);

	*image = NULL;
	if (status == 0)
		status = pull_by_policy(&p, image, error);
	else if (!p.reference.kind)
		place_hint(error, options->reference);
	if (status < 0) {
		image_free(*image);
		*image = NULL;
	}
	resolved_image_free(p.resolved);
	tree_free(p.made.tree);
	transport_close(p.transport);
	store_close(p.store);
	sources_free(p.sources);
	return status;
}
