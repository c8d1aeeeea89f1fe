/* SPDX-License-Identifier: Apache-2.0 */
#include "fetch_image.h"

#include "../store/lock.h"
#include "../store/record.h"
#include "image.h"
#include "image_folder.h"
#include "layer_jobs.h"

#include <stdlib.h>

/* The image's folder, when it is there and whole; *image is NULL when it must be built. */
static int open_existing(const struct fetch_image *f, struct mkrootfs_image **image,
			 struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct mkrootfs_error ignored;
	int status = store_image_path(&path, f->store, &f->resolved->manifest_digest, error);

	*image = NULL;
	if (status == 0)
		image_open(image, (char *)path.data, &f->resolved->manifest_digest,
			   f->resolved->reference, &ignored);
	buf_free(&path);
	return status;
}

static int report_all_reused(const struct fetch_image *f, struct mkrootfs_error *error)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < f->resolved->manifest.layer_count; i++) {
		layer_jobs_set_event(f->events, f->resolved, i);
		status = events_report(f->events, MKROOTFS_EVENT_LAYER_REUSED, 0, error);
	}
	return status;
}

/* One process merges; who waited for it finds the folder there. */
static int build_folder(const struct fetch_image *f, struct mkrootfs_image **image,
			struct early_merge *merge, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	struct lock *lock = NULL;
	int status = store_lock_path(&path, f->store, error);

	if (status == 0)
		status = lock_take(&lock, (char *)path.data, &f->resolved->manifest_digest,
				   events_wait, f->events, error);
	if (status == 0)
		status = open_existing(f, image, error);
	if (status == 0 && !*image)
		status = image_folder_build(f->store, f->resolved, merge, f->events, error);
	lock_release(lock);
	if (status == 0 && !*image)
		status = store_image_path(&path, f->store, &f->resolved->manifest_digest, error);
	if (status == 0 && !*image)
		status = image_open(image, (char *)path.data, &f->resolved->manifest_digest,
				    f->resolved->reference, error);
	buf_free(&path);
	return status;
}

/* What is known of each layer of this pull. */
struct layer_facts {
	bool *reused;
	struct mkrootfs_layer_times *times; /* NULL: not asked for */
	struct early_merge *merge;
};

static int build(struct mkrootfs_image **image, const struct fetch_image *f,
		 const struct layer_facts *facts, struct mkrootfs_error *error)
{
	const struct layer_jobs_options options = { .store = f->store,
						    .transport = f->transport,
						    .image = f->resolved,
						    .limits = f->limits,
						    .jobs = f->jobs,
						    .threads = f->threads,
						    .times = facts->times,
						    .keep_partial = f->keep_partial,
						    .merge = facts->merge,
						    .fresh = f->fresh };
	int status = layer_jobs_run(facts->reused, &options, f->events, error);

	return status < 0 ? status : build_folder(f, image, facts->merge, error);
}

/* facts NULL: all layers were reused. */
static int note_facts(struct mkrootfs_image *image, const struct layer_facts *facts,
		      struct mkrootfs_error *error)
{
	for (size_t i = 0; i < image->config.diff_id_count; i++) {
		image->layers[i].reused = !facts || facts->reused[i];
		if (facts && facts->times)
			image->layers[i].times = facts->times[i];
	}
	return image_update_json(image, error);
}

/* The layer that came with the transport is the lowest. */
static int open_merge(struct layer_facts *facts, struct fetch_image *f,
		      struct mkrootfs_error *error)
{
	const struct config *config = &f->resolved->config;
	int status =
		early_merge_open(&facts->merge, config->diff_ids, config->diff_id_count, error);

	if (status == 0 && config->diff_id_count > 0)
		early_merge_give(facts->merge, 0, &f->made);
	return status;
}

static int make(struct mkrootfs_image **image, struct fetch_image *f, struct mkrootfs_error *error)
{
	size_t count = f->resolved->manifest.layer_count + 1;
	struct layer_facts facts = { .reused = calloc(count, sizeof(*facts.reused)) };
	int status = 0;

	if (f->times)
		facts.times = calloc(count, sizeof(*facts.times));
	if (!facts.reused || (f->times && !facts.times))
		status = error_no_memory(error);
	if (status == 0 && facts.times && f->fresh_times)
		facts.times[0] = *f->fresh_times;
	if (status == 0)
		status = open_merge(&facts, f, error);
	if (status == 0)
		status = build(image, f, &facts, error);
	if (status == 0)
		status = note_facts(*image, &facts, error);
	early_merge_free(facts.merge);
	free(facts.times);
	free(facts.reused);
	return status;
}

static int find_or_make(struct mkrootfs_image **image, struct fetch_image *f,
			struct mkrootfs_error *error)
{
	int status = open_existing(f, image, error);

	if (status < 0)
		return status;
	if (!*image)
		return make(image, f, error);
	status = report_all_reused(f, error);
	return status < 0 ? status : note_facts(*image, NULL, error);
}

int fetch_image(struct mkrootfs_image **image, struct fetch_image *fetch,
		struct mkrootfs_error *error)
{
	int status = find_or_make(image, fetch, error);

	tree_free(fetch->made.tree);
	fetch->made.tree = NULL;
	if (status == 0)
		status = record_write(fetch->store, fetch->resolved->reference,
				      &fetch->resolved->manifest_digest, error);
	if (status < 0) {
		image_free(*image);
		*image = NULL;
	}
	return status;
}
