/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library behind <mkrootfs.h> for tests of the command: it records what it was asked and answers
 * as the test wants. Included by the one file of a test program, after cmocka.
 *
 *	library.status = MKROOTFS_ERROR_NETWORK;
 *	library.message = "no route";
 *	code = command_line_run(words, out, err);
 *	assert_string_equal(library.name, "a:1");
 */
#ifndef TESTS_CLI_FAKE_LIBRARY_H
#define TESTS_CLI_FAKE_LIBRARY_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <mkrootfs.h>

#include "fake_tree.h"

#define DIGEST "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

struct fake_library {
	/* What it shall do. */
	int status;
	const char *message, *advice;
	int signal; /* raised before the first event */
	size_t images;
	const char *disk;
	const char *problem;
	const char *image; /* the only name that an image has; NULL: any */
	/* What it was asked. */
	unsigned calls;
	struct mkrootfs_pull_options pull;
	struct mkrootfs_upper_options upper;
	int replace;   /* of an export to a file, of a clone */
	uint64_t size; /* of a resize */
	struct mkrootfs_verify_options verify;
	struct mkrootfs_login_options login; /* its strings are gone */
	struct mkrootfs_save_options save;
	struct mkrootfs_build_options build;
	char store[128], name[128];
};
static struct fake_library library;

struct mkrootfs_image {
	int unused;
};
static struct mkrootfs_image the_image;

static int answer(struct mkrootfs_error *error, const char *store, const char *name)
{
	library.calls++;
	snprintf(library.store, sizeof(library.store), "%s", store ? store : "(none)");
	snprintf(library.name, sizeof(library.name), "%s", name ? name : "(none)");
	error->status = library.status;
	snprintf(error->message, sizeof(error->message), "%s",
		 library.message ? library.message : "");
	snprintf(error->advice, sizeof(error->advice), "%s", library.advice ? library.advice : "");
	return library.status;
}

const char *mkrootfs_version(void)
{
	return "1.2.3";
}

int mkrootfs_pull(struct mkrootfs_image **image, const struct mkrootfs_pull_options *options,
		  struct mkrootfs_error *error)
{
	struct mkrootfs_event event = { .kind = MKROOTFS_EVENT_RESOLVED, .digest = DIGEST };

	library.pull = *options;
	if (library.signal)
		raise(library.signal);
	if (options->events(options->events_user, &event))
		library.status = MKROOTFS_ERROR_CANCELLED;
	*image = library.status ? NULL : &the_image;
	return answer(error, options->store, options->reference);
}

int mkrootfs_image_open(struct mkrootfs_image **image, const char *store, const char *name,
			struct mkrootfs_error *error)
{
	bool there = !library.image || !strcmp(library.image, name);

	*image = library.status || !there ? NULL : &the_image;
	if (!there)
		return fake_error(error, MKROOTFS_ERROR_NOT_FOUND, name);
	return answer(error, store, name);
}

int mkrootfs_image_list(struct mkrootfs_image_list **list, const char *store,
			struct mkrootfs_error *error)
{
	static struct mkrootfs_image *images[] = { &the_image, &the_image };
	static struct mkrootfs_image_list the_list = { .images = images };

	the_list.count = library.images;
	*list = library.status ? NULL : &the_list;
	return answer(error, store, NULL);
}

int mkrootfs_login(const struct mkrootfs_login_options *options, struct mkrootfs_error *error)
{
	library.login = *options;
	return answer(error, options->auth_file, options->registry);
}

int mkrootfs_logout(const char *registry, const char *auth_file, struct mkrootfs_error *error)
{
	return answer(error, auth_file, registry);
}

int mkrootfs_login_user(char user[MKROOTFS_USER_SIZE], const char *registry,
			const struct mkrootfs_registry_options *options,
			struct mkrootfs_error *error)
{
	snprintf(user, MKROOTFS_USER_SIZE, "bob");
	return answer(error, options->auth_files.items[0], registry);
}

int mkrootfs_upper_resize(struct mkrootfs_resized *resized, const char *path, uint64_t size,
			  struct mkrootfs_error *error)
{
	library.size = size;
	*resized = (struct mkrootfs_resized){ 1 << 30, size };
	return answer(error, NULL, path);
}

int mkrootfs_upper_clone(const char *from, const char *to, int replace,
			 struct mkrootfs_error *error)
{
	library.replace = replace;
	return answer(error, from, to);
}

int mkrootfs_upper(const char *path, const struct mkrootfs_upper_options *options,
		   struct mkrootfs_error *error)
{
	library.upper = *options;
	if (!library.status)
		fclose(fopen(path, "w"));
	return answer(error, NULL, path);
}

/* One image, with library.problem where that is set. */
int mkrootfs_store_verify(struct mkrootfs_verify_result *result, const char *store,
			  const char *name, const struct mkrootfs_verify_options *options,
			  struct mkrootfs_error *error)
{
	const struct mkrootfs_problem problem = { "example.com/a:1", "/s/i/0.erofs", "/bin/x\"",
						  library.problem };
	const struct mkrootfs_event verified = { .kind = MKROOTFS_EVENT_VERIFIED,
						 .text = "example.com/a:1" };
	const struct mkrootfs_event removed = { .kind = MKROOTFS_EVENT_REMOVED, .text = "/s/i" };

	*result = (struct mkrootfs_verify_result){ 0 };
	library.verify = *options;
	if (library.signal)
		raise(library.signal);
	if (library.problem && options->problem(options->problem_user, &problem))
		library.status = MKROOTFS_ERROR_CANCELLED;
	if (!library.status)
		options->events(options->events_user, &verified);
	if (library.problem && options->remove_damaged)
		options->events(options->events_user, &removed);
	return answer(error, store, name);
}

int mkrootfs_tree_export(const struct mkrootfs_tree *tree, mkrootfs_write_fn write, void *user,
			 const struct mkrootfs_export_options *options,
			 struct mkrootfs_error *error)
{
	const struct mkrootfs_event warning = { .kind = MKROOTFS_EVENT_WARNING, .text = "careful" };

	(void)error;
	assert_non_null(tree);
	options->events(options->events_user, &warning);
	return write(user, "a tar", 5);
}

int mkrootfs_tree_export_file(const struct mkrootfs_tree *tree, const char *path,
			      const struct mkrootfs_export_options *options,
			      struct mkrootfs_error *error)
{
	assert_non_null(tree);
	library.replace = options->replace;
	return answer(error, NULL, path);
}

int mkrootfs_save(const struct mkrootfs_image *image, mkrootfs_write_fn write, void *user,
		  const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	const struct mkrootfs_event warning = { .kind = MKROOTFS_EVENT_WARNING, .text = "careful" };

	(void)error;
	assert_ptr_equal(image, &the_image);
	library.save = *options;
	options->events(options->events_user, &warning);
	return write(user, "an archive", 10);
}

int mkrootfs_tree_build_ext4(const struct mkrootfs_tree *tree, const char *path,
			     const struct mkrootfs_build_options *options,
			     struct mkrootfs_error *error)
{
	assert_non_null(tree);
	library.build = *options;
	return answer(error, NULL, path);
}

int mkrootfs_save_file(const struct mkrootfs_image *image, const char *path,
		       const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	assert_ptr_equal(image, &the_image);
	library.save = *options;
	return answer(error, NULL, path);
}

void mkrootfs_image_list_free(struct mkrootfs_image_list *list)
{
	assert_non_null(list);
}

void mkrootfs_image_free(struct mkrootfs_image *image)
{
	assert_ptr_equal(image, &the_image);
}

const char *mkrootfs_image_reference(const struct mkrootfs_image *image)
{
	(void)image;
	return "example.com/a:1";
}

const char *mkrootfs_image_digest(const struct mkrootfs_image *image)
{
	(void)image;
	return DIGEST;
}

const char *mkrootfs_image_platform(const struct mkrootfs_image *image)
{
	(void)image;
	return "linux/amd64";
}

const char *mkrootfs_image_directory(const struct mkrootfs_image *image)
{
	(void)image;
	return "/s/i";
}

const char *mkrootfs_image_disk(const struct mkrootfs_image *image)
{
	(void)image;
	return library.disk;
}

const char *mkrootfs_image_fsmeta(const struct mkrootfs_image *image)
{
	(void)image;
	return "/s/i/fsmeta.erofs";
}

uint64_t mkrootfs_image_disk_size(const struct mkrootfs_image *image)
{
	(void)image;
	return 5 << 20;
}

size_t mkrootfs_image_layer_count(const struct mkrootfs_image *image)
{
	(void)image;
	return 1;
}

const struct mkrootfs_image_layer *mkrootfs_image_layer(const struct mkrootfs_image *image,
							size_t index)
{
	static const struct mkrootfs_image_layer layer = { .diff_id = "sha256:fedcba9876543210",
							   .path = "/s/i/0.erofs",
							   .size = 4096,
							   .reused = 1 };

	(void)image;
	assert_int_equal(index, 0);
	return &layer;
}

const struct mkrootfs_image_config *mkrootfs_image_config(const struct mkrootfs_image *image)
{
	static const char *const env[] = { "A=b", "EVIL=\033[2J\n" };
	static const char *const entrypoint[] = { "/bin/sh", "-c" };
	static const char *const cmd[] = { "echo \"hi\" there" };
	static const struct mkrootfs_image_config config = { { 2, env }, { 2, entrypoint },
							     { 1, cmd }, "",
							     "/srv",	 "SIGQUIT" };

	(void)image;
	return &config;
}

const char *mkrootfs_image_problem(const struct mkrootfs_image *image)
{
	(void)image;
	return library.problem;
}

const char *mkrootfs_image_json(const struct mkrootfs_image *image)
{
	(void)image;
	return "{\"disk\":1}";
}

#endif
