/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line, record or object of a listing.
 *
 *	struct entry_view view = { .out = stdout, .form = ENTRY_LONG, .escape = true };
 *	print_entry(&view, &place, "passwd", "/etc/passwd", &stat, NULL, &error);
 */
#ifndef CLI_ENTRY_VIEW_H
#define CLI_ENTRY_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "tree_operand.h"

enum entry_form { ENTRY_NAME, ENTRY_LONG, ENTRY_NULL, ENTRY_JSON };

struct entry_view {
	FILE *out;
	enum entry_form form;
	bool escape;	/* names go to a person: no control bytes */
	size_t printed; /* entries so far */
};

/* name is shown, path is where it is; target of a symbolic link or NULL. */
int print_entry(struct entry_view *view, const struct tree_operand *place, const char *name,
		const char *path, const struct mkrootfs_stat *stat, const char *target,
		struct mkrootfs_error *error);
/* A name as the view shows names. */
void print_entry_name(const struct entry_view *view, const char *name);

#endif
