/* SPDX-License-Identifier: Apache-2.0 */
#include "pull.h"

#include "../oci/resolve.h"
#include "../store/lock.h"
#include "../store/record.h"
#include "config_cache.h"
#include "image.h"
#include "image_folder.h"
#include "layer_cache.h"
#include "limits.h"
#include "name.h"
#include "open_transport.h"
#include "place_hint.h"
#include "sources.h"

#include <stdlib.h>
#include <string.h>

struct pull {
	const struct mkrootfs_pull_options *options;
	struct mkrootfs_limits limits;
	struct platform platform;
	struct reference reference;
	char name[REFERENCE_TEXT_SIZE]; /* to be recorded; empty: the reference itself */
	bool fresh; /* the layer was brought in while the transport was opened */
	struct sources *sources;
	struct transport *transport;
	struct resolved_image *resolved;
	struct store *store;
	bool *reused; /* by layer */
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
				   .store = &p->store };
	int status = open_transport(&p->transport, &opening, error);

	if (!p->name[0])
		strcpy(p->name, opening.name);
	p->fresh = opening.fresh;
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

static int resolve(struct pull *p, struct mkrootfs_error *error)
{
	const struct resolve_options options = { .platform = p->platform,
						 .max_layers = p->limits.layers,
						 .platform_is_default = !p->options->platform };
	int status = resolve_image(&p->resolved, p->transport, &p->reference, &options, error);

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

/* The image's folder, when it is there and whole; *image is NULL when it must be built. */
static int open_existing(struct pull *p, struct mkrootfs_image **image,
			 struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct mkrootfs_error ignored;
	int status = store_image_path(&path, p->store, &p->resolved->manifest_digest, error);

	*image = NULL;
	if (status == 0)
		image_open(image, (char *)path.data, &p->resolved->manifest_digest,
			   p->resolved->reference, &ignored);
	buf_free(&path);
	return status;
}

static void set_layer_event(struct pull *p, size_t index)
{
	p->events.layer_index = (uint32_t)index;
	p->events.total = (uint64_t)p->resolved->manifest.layers[index].size;
	digest_format(p->events.digest, &p->resolved->manifest.layers[index].digest);
}

static int report_reused(struct pull *p, size_t index, struct mkrootfs_error *error)
{
	set_layer_event(p, index);
	p->reused[index] = true;
	return events_report(&p->events, MKROOTFS_EVENT_LAYER_REUSED, 0, error);
}

static int report_all_reused(struct pull *p, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < p->resolved->manifest.layer_count; i++)
		status = report_reused(p, i, error);
	return status;
}

static int ensure_layer(struct pull *p, size_t index, struct mkrootfs_error *error)
{
	const struct descriptor *blob = &p->resolved->manifest.layers[index];
	int status;

	set_layer_event(p, index);
	status = layer_ensure(p->store, p->transport, blob, &p->resolved->config.diff_ids[index],
			      &p->limits, &p->reused[index], &p->events, error);
	if (status < 0)
		return error_prefix(error, "layer %zu/%zu %.19s: ", index + 1,
				    p->resolved->manifest.layer_count, p->events.digest);
	if (p->reused[index] && !p->fresh)
		return report_reused(p, index, error);
	return events_report(&p->events, MKROOTFS_EVENT_LAYER_DONE, (uint64_t)blob->size, error);
}

static int ensure_layers(struct pull *p, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < p->resolved->manifest.layer_count; i++)
		status = ensure_layer(p, i, error);
	return status;
}

/* One process merges; who waited for it finds the folder there. */
static int build_folder(struct pull *p, struct mkrootfs_image **image, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	int status = store_lock_path(&path, p->store, error);

	if (status == 0)
		status = lock_take(&lock, (char *)path.data, &p->resolved->manifest_digest,
				   events_wait, &p->events, error);
	if (status == 0)
		status = open_existing(p, image, error);
	if (status == 0 && !*image)
		status = image_folder_build(p->store, p->resolved, &p->events, error);
	lock_release(lock);
	if (status == 0 && !*image)
		status = store_image_path(&path, p->store, &p->resolved->manifest_digest, error);
	if (status == 0 && !*image)
		status = image_open(image, (char *)path.data, &p->resolved->manifest_digest,
				    p->resolved->reference, error);
	buf_free(&path);
	return status;
}

static int mark_reused(struct pull *p, struct mkrootfs_image *image, struct mkrootfs_error *error)
{
	for (size_t i = 0; i < p->resolved->manifest.layer_count; i++)
		image->layers[i].reused = p->reused[i] && !p->fresh;
	return image_update_json(image, error);
}

static int bring(struct pull *p, struct mkrootfs_image **image, struct mkrootfs_error *error)
{
	int status;

	p->reused = calloc(p->resolved->manifest.layer_count + 1, sizeof(*p->reused));
	if (!p->reused)
		return error_no_memory(error);
	status = open_existing(p, image, error);
	if (status == 0 && *image)
		status = report_all_reused(p, error);
	else if (status == 0) {
		status = ensure_layers(p, error);
		if (status == 0)
			status = build_folder(p, image, error);
	}
	if (status == 0)
		status = mark_reused(p, *image, error);
	if (status == 0)
		status = record_write(p->store, p->resolved->reference,
				      &p->resolved->manifest_digest, error);
	return status;
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
		status = open_place(&p, error);
	if (status == 0)
		status = resolve(&p, error);
	if (status < 0 && p.reference.kind <= REFERENCE_REGISTRY)
		place_hint(error, options->reference);
	if (status == 0 && !p.store)
		status = store_open(&p.store, options->store, STORE_WRITE, error);
	if (status == 0)
		status = bring(&p, image, error);
	if (status < 0) {
		image_free(*image);
		*image = NULL;
	}
	free(p.reused);
	resolved_image_free(p.resolved);
	transport_close(p.transport);
	store_close(p.store);
	sources_free(p.sources);
	return status;
}
