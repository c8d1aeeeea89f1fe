/* SPDX-License-Identifier: Apache-2.0 */
/* All images, layers and records of a store. */
#include "verify_store.h"

#include "../base/array.h"
#include "../store/folder.h"
#include "../store/record.h"
#include "image_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image that was verified, and what was found. */
struct checked {
	struct digest manifest;
	uint64_t problems;
};

struct survey {
	struct verify_run *run;
	const struct store *store;
	struct checked *images;
	size_t count, room;
};

static struct checked *find(const struct survey *s, const struct digest *manifest)
{
	for (size_t i = 0; i < s->count; i++)
		if (digest_equal(&s->images[i].manifest, manifest))
			return &s->images[i];
	return NULL;
}

/* ---- Images ---- */

static int verify_digest(struct verify_run *run, const struct store *store,
			 const struct digest *manifest, const char *reference,
			 struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = store_image_path(&path, store, manifest, error);

	if (status == 0)
		status = verify_folder(run, (char *)path.data, manifest, reference, error);
	buf_free(&path);
	return status;
}

int verify_named(struct verify_run *run, const struct store *store, const char *name,
		 struct mkrootfs_error *error)
{
	char reference[REFERENCE_TEXT_SIZE];
	struct digest manifest;
	int status = image_name_resolve(&manifest, reference, store, name, error);

	return status < 0 ? status : verify_digest(run, store, &manifest, reference, error);
}

/* A second name of an image that was verified. */
static int repeat(struct survey *s, const struct checked *image, const char *reference,
		  struct mkrootfs_error *error)
{
	int status = 0;

	s->run->name = reference;
	if (image->problems > 0)
		status = verify_run_tell(s->run, NULL, NULL, "the image is damaged, as told before",
					 error);
	if (status == 0)
		status = verify_run_report(s->run, MKROOTFS_EVENT_VERIFIED, reference,
					   image->problems > 0, error);
	s->run->name = NULL;
	return status;
}

static int check(struct survey *s, const struct digest *manifest, const char *reference,
		 struct mkrootfs_error *error)
{
	const struct checked *known = find(s, manifest);
	uint64_t before = s->run->result->problems;
	int status;

	if (known)
		return *reference ? repeat(s, known, reference, error) : 0;
	status = array_reserve(&s->images, &s->room, s->count, sizeof(*s->images), error);
	if (status == 0)
		status = verify_digest(s->run, s->store, manifest, reference, error);
	if (status == 0)
		s->images[s->count++] =
			(struct checked){ *manifest, s->run->result->problems - before };
	return status;
}

static int check_record(void *user, const char *reference, const struct digest *manifest,
			struct mkrootfs_error *error)
{
	struct survey *s = user;

	return reference ? check(s, manifest, reference, error) : 0;
}

static int check_folder(void *user, const char *name, struct mkrootfs_error *error)
{
	struct digest manifest;

	return store_image_name_parse(&manifest, name) ? check(user, &manifest, "", error) : 0;
}

/* ---- Records that cannot be read ---- */

static int tell_record(void *user, const char *reference, const struct digest *manifest,
		       struct mkrootfs_error *error)
{
	struct survey *s = user;
	struct mkrootfs_error reason = *error;

	(void)manifest;
	return reference ? 0 : verify_run_tell(s->run, NULL, NULL, reason.message, error);
}

static int check_records(struct survey *s, struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	uint64_t before = s->run->result->problems;
	int status = buf_printf(&path, error, "%s/references", store_path(s->store));

	s->run->name = (char *)path.data;
	if (status == 0)
		status = record_each(s->store, tell_record, s, error);
	if (status == 0 && s->run->result->problems > before)
		status = verify_run_report(s->run, MKROOTFS_EVENT_VERIFIED, s->run->name,
					   s->run->result->problems - before, error);
	s->run->name = NULL;
	buf_free(&path);
	return status;
}

/* ---- Layers ---- */

/* The name is the hex digits of a digest, as store_layer_path makes it. */
static bool parse_layer_name(struct digest *diff_id, const char *name)
{
	size_t len = strlen(name), suffix = strlen(".erofs");
	char text[DIGEST_TEXT_SIZE + 8];
	struct mkrootfs_error ignored;

	if (len <= suffix || strcmp(name + len - suffix, ".erofs") != 0)
		return false;
	len -= suffix;
	if (len != 2 * digest_size(DIGEST_SHA256) && len != 2 * digest_size(DIGEST_SHA512))
		return false;
	snprintf(text, sizeof(text), "sha%s:%.*s", len == 64 ? "256" : "512", (int)len, name);
	return digest_parse(diff_id, text, &ignored) == 0;
}

/* One that an image has was read with it. */
static int check_layer(void *user, const char *name, struct mkrootfs_error *error)
{
	struct survey *s = user;
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	uint64_t before = s->run->result->problems;
	struct digest diff_id;
	bool known;
	int status;

	if (!parse_layer_name(&diff_id, name))
		return 0;
	status = store_layer_path(&path, s->store, &diff_id, error);
	known = status == 0 && verify_layer_known(s->run, (char *)path.data, &diff_id);
	s->run->name = (char *)path.data;
	if (status == 0 && !known)
		status = verify_layer_file(s->run, (char *)path.data, &diff_id, error);
	if (status == 0 && !known)
		status = verify_run_report(s->run, MKROOTFS_EVENT_VERIFIED, s->run->name,
					   s->run->result->problems - before, error);
	s->run->name = NULL;
	buf_free(&path);
	return status;
}

static int each(const struct survey *s, const char *folder, folder_visit_fn visit, void *user,
		struct mkrootfs_error *error)
{
	struct buf path = BUF_INIT(STORE_PATH_MAX);
	int status = buf_printf(&path, error, "%s/%s", store_path(s->store), folder);

	if (status == 0)
		status = folder_each((char *)path.data, visit, user, error);
	buf_free(&path);
	return status;
}

int verify_everything(struct verify_run *run, const struct store *store,
		      struct mkrootfs_error *error)
{
	struct survey s = { .run = run, .store = store };
	int status = record_each(store, check_record, &s, error);

	if (status == 0)
		status = each(&s, "images", check_folder, &s, error);
	if (status == 0)
		status = each(&s, "layers", check_layer, &s, error);
	if (status == 0)
		status = check_records(&s, error);
	free(s.images);
	return status;
}
