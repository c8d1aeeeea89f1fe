/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_operand.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "store_folder.h"

static bool is_path(const char *image)
{
	return image[0] == '/' || !strncmp(image, "./", 2) || !strncmp(image, "../", 3) ||
	       !strcmp(image, ".") || !strcmp(image, "..");
}

/* Says why there is no store; the environment is as it was when none was found. */
static int no_store(struct mkrootfs_error *error)
{
	char folder[STORE_FOLDER];
	const char *problem = store_folder_default(folder);

	*error = (struct mkrootfs_error){ .status = MKROOTFS_ERROR_INVALID };
	snprintf(error->message, sizeof(error->message), "%s", problem ? problem : "no store");
	return error->status;
}

static int open_stored(struct tree_operand *operand, const char *store, const char *name,
		       struct mkrootfs_error *error)
{
	int status;

	if (!store)
		return no_store(error);
	status = mkrootfs_image_open(&operand->image, store, name, error);
	if (status < 0)
		return status;
	status = mkrootfs_tree_open_image(&operand->tree, operand->image, error);
	if (status < 0) {
		mkrootfs_image_free(operand->image);
		operand->image = NULL;
	}
	return status;
}

static int open_image(struct tree_operand *operand, const char *store, const char *image,
		      struct mkrootfs_error *error)
{
	return is_path(image) ? mkrootfs_tree_open(&operand->tree, image, error)
			      : open_stored(operand, store, image, error);
}

/* Whether a shorter IMAGE may be what was meant. What is there, but damaged, is meant. */
static bool is_other(int status)
{
	return status == MKROOTFS_ERROR_NOT_FOUND || status == MKROOTFS_ERROR_INVALID;
}

/* The last ":/" before end, or NULL. */
static char *split_before(char *word, const char *end)
{
	char *last = NULL;

	for (char *at = word; (at = strstr(at, ":/")) && at < end; at++)
		last = at;
	return last != word ? last : NULL;
}

/*
 * Of the errors of several readings, the one of the rightmost split is told: "NAME:/PATH" with a
 * NAME that is not there. One that says "not found" goes before one that says "not a name".
 */
static void keep_better(struct mkrootfs_error *best, const struct mkrootfs_error *error)
{
	if (best->status == 0 ||
	    (best->status != MKROOTFS_ERROR_NOT_FOUND && error->status == MKROOTFS_ERROR_NOT_FOUND))
		*best = *error;
}

int tree_operand_open(struct tree_operand *operand, const char *store, char *word,
		      struct mkrootfs_error *error)
{
	struct mkrootfs_error best = { 0 };
	char *colon = word + strlen(word);
	int status;

	*operand = (struct tree_operand){ .path = "/" };
	status = open_image(operand, store, word, error);
	if (!is_other(status) || !split_before(word, colon))
		return status;
	while (is_other(status) && (colon = split_before(word, colon))) {
		*colon = '\0';
		status = open_image(operand, store, word, error);
		*colon = ':';
		operand->path = colon + 1;
		if (is_other(status))
			keep_better(&best, error);
	}
	if (is_other(status))
		*error = best;
	return status < 0 ? error->status : 0;
}

void tree_operand_close(struct tree_operand *operand)
{
	mkrootfs_tree_close(operand->tree);
	if (operand->image)
		mkrootfs_image_free(operand->image);
	*operand = (struct tree_operand){ 0 };
}
