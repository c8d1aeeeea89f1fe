/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "verify_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int cancelled(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
}

int verify_tell(struct erofs_verifier *v, const char *file, const char *path,
		struct mkrootfs_error *error, const char *format, ...)
{
	struct mkrootfs_error text;
	struct erofs_problem problem = { file, path, text.message };
	char line[sizeof(text.message)];
	va_list list;

	if (v->result->problems++ >= PROBLEMS_TOLD || !v->options->problem)
		return 0;
	va_start(list, format);
	vsnprintf(line, sizeof(line), format, list);
	va_end(list);
	error_set(&text, 0, "%s", line);
	return v->options->problem(v->options->user, &problem) ? cancelled(error) : 0;
}

int verify_progress(struct erofs_verifier *v, uint64_t bytes, struct mkrootfs_error *error)
{
	v->result->bytes += bytes;
	if (v->options->progress && v->options->progress(v->options->user, bytes))
		return cancelled(error);
	return 0;
}

static void release(struct erofs_verifier *v)
{
	for (uint32_t i = 0; i < v->part_count; i++)
		content_table_free(&v->parts[i].contents);
	free(v->parts);
	block_ranges_free(&v->damage);
	free(v->nids);
}

int erofs_verify(struct erofs_verify_result *result, struct erofs_reader *reader,
		 const struct erofs_verify_options *options, struct mkrootfs_error *error)
{
	struct erofs_verifier v = { .reader = reader, .options = options, .result = result };
	int status;

	*result = (struct erofs_verify_result){ 0 };
	status = verify_parts(&v, error);
	if (status == 0)
		status = verify_contents(&v, error);
	if (status == 0)
		status = verify_tree(&v, error);
	release(&v);
	return status;
}
