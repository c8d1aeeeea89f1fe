/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "verify_run.h"
#include "verify_store.h"

int verify_tree_files(struct mkrootfs_verify_result *result, const struct mkrootfs_tree *tree,
		      const struct mkrootfs_verify_options *options, struct mkrootfs_error *error)
{
	struct verify_run run;
	int status;

	verify_run_begin(&run, result, options);
	run.name = extents_path(erofs_reader_extents(tree->reader), 0);
	status = verify_run_image(&run, tree->reader, false, tree->metadata_only, error);
	status = verify_run_soften(&run, run.name, status, error);
	verify_run_end(&run);
	return status;
}

int verify_image(struct mkrootfs_verify_result *result, const struct mkrootfs_image *image,
		 const struct mkrootfs_verify_options *options, struct mkrootfs_error *error)
{
	struct verify_run run;
	int status;

	verify_run_begin(&run, result, options);
	status = verify_folder(&run, image->directory, &image->manifest_digest, image->reference,
			       error);
	verify_run_end(&run);
	return status;
}

static int read_store(struct verify_run *run, const char *path, const char *name,
		      struct mkrootfs_error *error)
{
	struct store *store;
	int status = store_open(&store, path, STORE_READ, error);

	/* As everywhere, a store that is not there yet is an empty one. */
	if (status == MKROOTFS_ERROR_NOT_FOUND && !name)
		return 0;
	if (status < 0)
		return status;
	status =
		name ? verify_named(run, store, name, error) : verify_everything(run, store, error);
	store_close(store);
	return status;
}

static int clean_store(struct verify_run *run, const char *path, struct mkrootfs_error *error)
{
	struct store *store;
	int status = store_open(&store, path, STORE_WRITE, error);

	if (status == 0)
		status = verify_remove(run, store, error);
	store_close(store);
	return status;
}

int verify_store(struct mkrootfs_verify_result *result, const char *path, const char *name,
		 const struct mkrootfs_verify_options *options, struct mkrootfs_error *error)
{
	struct verify_run run;
	int status;

	verify_run_begin(&run, result, options);
	status = read_store(&run, path, name, error);
	if (status == 0 && options->remove_damaged && result->problems > 0)
		status = clean_store(&run, path, error);
	verify_run_end(&run);
	return status;
}
