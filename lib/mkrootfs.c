/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions: check arguments, delegate. */
#include <mkrootfs.h>

#include "base/digest.h"
#include "base/error.h"
#include "io/image_file.h"
#include "rootfs/export.h"
#include "rootfs/export_file.h"
#include "rootfs/image.h"
#include "rootfs/image_find.h"
#include "rootfs/image_list.h"
#include "rootfs/login.h"
#include "rootfs/pull.h"
#include "rootfs/save_image.h"
#include "rootfs/steps.h"
#include "rootfs/tree_file.h"
#include "rootfs/tree_list.h"
#include "rootfs/tree_open.h"
#include "rootfs/tree_stat.h"
#include "rootfs/upper.h"
#include "rootfs/verify.h"

const char *mkrootfs_version(void)
{
	return MKROOTFS_VERSION;
}

const char *mkrootfs_status_name(int status)
{
	static const char *const names[] = {
		"ok",
		"invalid argument",
		"system error",
		"no space",
		"malformed input",
		"wrong digest",
		"not found",
		"network error",
		"denied",
		"limit exceeded",
		"unsupported",
		"cancelled",
		"out of memory",
		"no such platform",
		"TLS error",
		"name not found",
		"rate limited",
	};
	const int count = sizeof(names) / sizeof(names[0]);

	return status <= 0 && status > -count ? names[-status] : "unknown status";
}

/* Where a caller passes no error, this one takes its place. */
#define OR_LOCAL(error_) ((error_) ? (error_) : &(struct mkrootfs_error){ 0 })

/* After a success nothing is left of what was tried on the way. */
static int done(int status, struct mkrootfs_error *error)
{
	if (status == 0)
		*error = (struct mkrootfs_error){ 0 };
	return status;
}

static bool has_null(const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!list[i])
			return true;
	return false;
}

static bool has_null_item(const struct mkrootfs_string_list *list)
{
	return list->count > 0 && (!list->items || has_null(list->items, list->count));
}

static int missing(struct mkrootfs_error *error, const char *what)
{
	return error_set(error, MKROOTFS_ERROR_INVALID, "%s is missing", what);
}

/* ---- Images ---- */

const char *mkrootfs_image_reference(const struct mkrootfs_image *image)
{
	return image->reference;
}

const char *mkrootfs_image_digest(const struct mkrootfs_image *image)
{
	return image->digest;
}

const char *mkrootfs_image_platform(const struct mkrootfs_image *image)
{
	return image->platform;
}

const char *mkrootfs_image_directory(const struct mkrootfs_image *image)
{
	return image->directory;
}

const char *mkrootfs_image_disk(const struct mkrootfs_image *image)
{
	return image->disk;
}

const char *mkrootfs_image_fsmeta(const struct mkrootfs_image *image)
{
	return image->fsmeta;
}

uint64_t mkrootfs_image_disk_size(const struct mkrootfs_image *image)
{
	return image->disk_size;
}

size_t mkrootfs_image_layer_count(const struct mkrootfs_image *image)
{
	return image->config.diff_id_count;
}

const struct mkrootfs_image_layer *mkrootfs_image_layer(const struct mkrootfs_image *image,
							size_t index)
{
	return index < image->config.diff_id_count ? &image->layers[index] : NULL;
}

const struct mkrootfs_image_config *mkrootfs_image_config(const struct mkrootfs_image *image)
{
	return &image->config.run;
}

const char *mkrootfs_image_json(const struct mkrootfs_image *image)
{
	return image->json;
}

const char *mkrootfs_image_problem(const struct mkrootfs_image *image)
{
	return image->problem;
}

void mkrootfs_image_free(struct mkrootfs_image *image)
{
	image_free(image);
}

static int check_registry(const struct mkrootfs_registry_options *options,
			  struct mkrootfs_error *error)
{
	if (options->password && !options->username)
		return missing(error, "the user name of a password");
	if (has_null_item(&options->auth_files))
		return missing(error, "an auth file's path");
	if (has_null_item(&options->registries_conf) || has_null_item(&options->mirrors) ||
	    has_null_item(&options->certs_dirs))
		return missing(error, "an item of a list for registries");
	return 0;
}

int mkrootfs_pull(struct mkrootfs_image **image, const struct mkrootfs_pull_options *options,
		  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*image = NULL;
	if (!options || !options->reference)
		return missing(error, "the reference");
	if (!options->store)
		return missing(error, "the store's folder");
	if (check_registry(&options->registry, error) < 0)
		return error->status;
	if (options->jobs > MKROOTFS_PULL_MAX_JOBS)
		return error_set(error, MKROOTFS_ERROR_INVALID, "%u jobs are more than %u",
				 options->jobs, MKROOTFS_PULL_MAX_JOBS);
	if ((unsigned)options->policy > MKROOTFS_PULL_NEVER)
		return error_set(error, MKROOTFS_ERROR_INVALID, "there is no pull policy %d",
				 (int)options->policy);
	return done(pull(image, options, error), error);
}

int mkrootfs_image_open(struct mkrootfs_image **image, const char *store, const char *name,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*image = NULL;
	if (!store || !name)
		return missing(error, store ? "the image's name" : "the store's folder");
	return done(image_find(image, store, name, error), error);
}

int mkrootfs_image_list(struct mkrootfs_image_list **list, const char *store,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*list = NULL;
	if (!store)
		return missing(error, "the store's folder");
	return done(image_list(list, store, error), error);
}

void mkrootfs_image_list_free(struct mkrootfs_image_list *list)
{
	image_list_free(list);
}

/* ---- Reading ---- */

int mkrootfs_tree_open(struct mkrootfs_tree **tree, const char *path, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*tree = NULL;
	if (!path)
		return missing(error, "the path");
	return done(tree_open(tree, path, error), error);
}

int mkrootfs_tree_open_image(struct mkrootfs_tree **tree, const struct mkrootfs_image *image,
			     struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*tree = NULL;
	if (!image)
		return missing(error, "the image");
	return done(tree_open_image(tree, image, error), error);
}

void mkrootfs_tree_close(struct mkrootfs_tree *tree)
{
	tree_close(tree);
}

/* What all questions to a tree need; 0 or the error that it set. */
static int check_question(const struct mkrootfs_tree *tree, const char *path, unsigned flags,
			  struct mkrootfs_error *error)
{
	if (!tree || !path)
		return missing(error, tree ? "the path" : "the tree");
	if (flags & ~(unsigned)MKROOTFS_NO_FOLLOW)
		return error_set(error, MKROOTFS_ERROR_INVALID, "unknown flags 0x%x", flags);
	return 0;
}

int mkrootfs_tree_stat(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
		       const char *path, unsigned flags, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*stat = (struct mkrootfs_stat){ 0 };
	status = check_question(tree, path, flags, error);
	if (status == 0)
		status = tree_stat(stat, tree, path, !(flags & MKROOTFS_NO_FOLLOW), error);
	return done(status, error);
}

int mkrootfs_tree_readlink(char target[MKROOTFS_LINK_SIZE], const struct mkrootfs_tree *tree,
			   const char *path, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*target = '\0';
	status = check_question(tree, path, 0, error);
	if (status == 0)
		status = tree_readlink(target, tree, path, error);
	return done(status, error);
}

int mkrootfs_tree_list(const struct mkrootfs_tree *tree, const char *path, mkrootfs_entry_fn fn,
		       void *user, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	status = check_question(tree, path, 0, error);
	if (status == 0 && !fn)
		status = missing(error, "the function for entries");
	if (status == 0)
		status = tree_list(tree, path, fn, user, error);
	return done(status, error);
}

int mkrootfs_tree_xattrs(const struct mkrootfs_tree *tree, const char *path, unsigned flags,
			 mkrootfs_xattr_fn fn, void *user, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	status = check_question(tree, path, flags, error);
	if (status == 0 && !fn)
		status = missing(error, "the function for attributes");
	if (status == 0)
		status = tree_xattrs(tree, path, !(flags & MKROOTFS_NO_FOLLOW), fn, user, error);
	return done(status, error);
}

int mkrootfs_file_open(struct mkrootfs_file **file, const struct mkrootfs_tree *tree,
		       const char *path, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*file = NULL;
	status = check_question(tree, path, 0, error);
	if (status == 0)
		status = tree_file_open(file, tree, path, error);
	return done(status, error);
}

uint64_t mkrootfs_file_size(const struct mkrootfs_file *file)
{
	return file->inode.head.size;
}

int mkrootfs_file_read(size_t *got, const struct mkrootfs_file *file, uint64_t offset, void *buffer,
		       size_t size, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*got = 0;
	if (!file || (!buffer && size > 0))
		return missing(error, file ? "the buffer" : "the file");
	return done(tree_file_read(got, file, offset, buffer, size, error), error);
}

void mkrootfs_file_close(struct mkrootfs_file *file)
{
	tree_file_close(file);
}

/* ---- Verifying ---- */

static const struct mkrootfs_verify_options verify_defaults;

int mkrootfs_tree_verify(struct mkrootfs_verify_result *result, const struct mkrootfs_tree *tree,
			 const struct mkrootfs_verify_options *options,
			 struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*result = (struct mkrootfs_verify_result){ 0 };
	if (!tree)
		return missing(error, "the tree");
	return done(verify_tree_files(result, tree, options ? options : &verify_defaults, error),
		    error);
}

int mkrootfs_image_verify(struct mkrootfs_verify_result *result, const struct mkrootfs_image *image,
			  const struct mkrootfs_verify_options *options,
			  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*result = (struct mkrootfs_verify_result){ 0 };
	if (!image)
		return missing(error, "the image");
	return done(verify_image(result, image, options ? options : &verify_defaults, error),
		    error);
}

int mkrootfs_store_verify(struct mkrootfs_verify_result *result, const char *store,
			  const char *name, const struct mkrootfs_verify_options *options,
			  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*result = (struct mkrootfs_verify_result){ 0 };
	if (!store)
		return missing(error, "the store's folder");
	return done(verify_store(result, store, name, options ? options : &verify_defaults, error),
		    error);
}

/* ---- Logging in ---- */

int mkrootfs_login(const struct mkrootfs_login_options *options, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!options || !options->registry)
		return missing(error, "the registry");
	if (!options->auth_file)
		return missing(error, "the auth file's path");
	if (!options->connection.username || !options->connection.password)
		return missing(error, "the user name or the password");
	if (check_registry(&options->connection, error) < 0)
		return error->status;
	return done(login(options, error), error);
}

int mkrootfs_logout(const char *registry, const char *auth_file, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!auth_file)
		return missing(error, "the auth file's path");
	return done(logout(registry, auth_file, error), error);
}

int mkrootfs_login_user(char user[MKROOTFS_USER_SIZE], const char *registry,
			const struct mkrootfs_registry_options *options,
			struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*user = '\0';
	if (!registry || !options)
		return missing(error, registry ? "the options" : "the registry");
	if (check_registry(options, error) < 0)
		return error->status;
	return done(login_user(user, registry, options, error), error);
}

/* ---- Export ---- */

static struct events export_events(const struct mkrootfs_export_options *options)
{
	return (struct events){ .fn = options ? options->events : NULL,
				.user = options ? options->events_user : NULL };
}

int mkrootfs_tree_export(const struct mkrootfs_tree *tree, mkrootfs_write_fn write, void *user,
			 const struct mkrootfs_export_options *options,
			 struct mkrootfs_error *error)
{
	struct callback_sink sink;
	struct events events = export_events(options);

	error = OR_LOCAL(error);
	if (!tree || !write)
		return missing(error, tree ? "the write function" : "the tree");
	sink_callback(&sink, write, user);
	return done(tree_export(tree, &sink.sink, &events, error), error);
}

int mkrootfs_tree_export_file(const struct mkrootfs_tree *tree, const char *path,
			      const struct mkrootfs_export_options *options,
			      struct mkrootfs_error *error)
{
	struct events events = export_events(options);
	int replace = options ? options->replace : 0;

	error = OR_LOCAL(error);
	if (!tree || !path)
		return missing(error, tree ? "the path" : "the tree");
	return done(tree_export_file(tree, path, replace, &events, error), error);
}

/* ---- Saving ---- */

static int check_save(const struct mkrootfs_image *image,
		      const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	if (!image)
		return missing(error, "the image");
	if (image->problem)
		return error_set(error, MKROOTFS_ERROR_INVALID, "the image is damaged: %s",
				 image->problem);
	if ((unsigned)options->format > MKROOTFS_SAVE_OCI_ARCHIVE)
		return error_set(error, MKROOTFS_ERROR_INVALID, "there is no such format");
	return 0;
}

int mkrootfs_save(const struct mkrootfs_image *image, mkrootfs_write_fn write, void *user,
		  const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	static const struct mkrootfs_save_options defaults;
	struct callback_sink out;

	error = OR_LOCAL(error);
	options = options ? options : &defaults;
	if (!write)
		return missing(error, "the write function");
	if (check_save(image, options, error) < 0)
		return error->status;
	sink_callback(&out, write, user);
	return done(save_image(&out.sink, image, options, error), error);
}

int mkrootfs_save_file(const struct mkrootfs_image *image, const char *path,
		       const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	static const struct mkrootfs_save_options defaults;

	error = OR_LOCAL(error);
	options = options ? options : &defaults;
	if (!path)
		return missing(error, "the path");
	if (check_save(image, options, error) < 0)
		return error->status;
	return done(save_image_file(path, image, options, error), error);
}

/* ---- The writable side ---- */

int mkrootfs_upper(const char *path, const struct mkrootfs_upper_options *options,
		   struct mkrootfs_error *error)
{
	static const struct mkrootfs_upper_options defaults;

	error = OR_LOCAL(error);
	if (!path)
		return missing(error, "the path");
	return done(upper_make(path, options ? options : &defaults, error), error);
}

int mkrootfs_upper_fd(int fd, const struct mkrootfs_upper_options *options,
		      struct mkrootfs_error *error)
{
	static const struct mkrootfs_upper_options defaults;

	error = OR_LOCAL(error);
	return done(upper_make_fd(fd, options ? options : &defaults, error), error);
}

/* ---- Single steps ---- */

int mkrootfs_layer_convert(const char *path, char diff_id[MKROOTFS_DIGEST_SIZE],
			   mkrootfs_read_fn read, void *user,
			   const struct mkrootfs_layer_options *options,
			   struct mkrootfs_error *error)
{
	static const struct mkrootfs_layer_options defaults;

	error = OR_LOCAL(error);
	if (diff_id)
		*diff_id = '\0';
	if (!path || !read)
		return missing(error, path ? "the read function" : "the path");
	return done(step_layer(path, diff_id, read, user, options ? options : &defaults, error),
		    error);
}

int mkrootfs_fsmeta_merge(const char *path, const char *const *layers, size_t layer_count,
			  const struct mkrootfs_merge_options *options,
			  struct mkrootfs_error *error)
{
	static const struct mkrootfs_merge_options defaults;

	error = OR_LOCAL(error);
	if (!path || (!layers && layer_count > 0))
		return missing(error, path ? "the list of layers" : "the path");
	if (has_null(layers, layer_count))
		return missing(error, "a layer's path");
	return done(step_fsmeta(path, layers, layer_count, options ? options : &defaults, error),
		    error);
}

int mkrootfs_disk_describe(const char *path, const char *const *files, size_t file_count,
			   int replace, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!path || !files)
		return missing(error, path ? "the list of files" : "the path");
	if (has_null(files, file_count))
		return missing(error, "a file's name");
	return done(step_disk(path, files, file_count, replace, error), error);
}
