/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a verification finds, as lines or as JSON.
 *
 *	struct verify_report report;
 *
 *	verify_report_open(&report, out, err, VERIFY_LINES);
 *	verify_report_problem(&report, "name", &problem);
 *	verify_report_item(&report, "name", &note);	what was verified, with its problems
 *	verify_report_close(&report);
 */
#ifndef CLI_VERIFY_REPORT_H
#define CLI_VERIFY_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <mkrootfs.h>

enum verify_form {
	VERIFY_LINES,
	VERIFY_QUIET, /* only problems */
	VERIFY_JSON,
};

struct verify_report {
	FILE *out, *err;
	enum verify_form form;
	unsigned long long problems; /* of the item in work */
	unsigned long long total;
	unsigned items; /* objects of the JSON array so far */
	char *json;	/* the problems of the item in work, memory of stream */
	size_t json_size;
	FILE *stream;
};

/* Returns 0, or -1 with errno. */
int verify_report_open(struct verify_report *report, FILE *out, FILE *err, enum verify_form form);
void verify_report_close(struct verify_report *report);

void verify_report_problem(struct verify_report *report, const char *name,
			   const struct mkrootfs_problem *problem);
/* note says how far it was checked; NULL: fully. */
void verify_report_item(struct verify_report *report, const char *name, const char *note);
void verify_report_removed(struct verify_report *report, const char *path);

#endif
