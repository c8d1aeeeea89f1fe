/* SPDX-License-Identifier: Apache-2.0 */
#include "verify_run.h"

#include "../base/buf.h"

#include <stdlib.h>

#define ASK_EVERY (16u << 20) /* bytes */

void verify_run_begin(struct verify_run *run, struct mkrootfs_verify_result *result,
		      const struct mkrootfs_verify_options *options)
{
	*result = (struct mkrootfs_verify_result){ 0 };
	*run = (struct verify_run){ .result = result,
				    .options = options,
				    .events = { .fn = options->events,
						.user = options->events_user } };
}

void verify_run_end(struct verify_run *run)
{
	free(run->files);
	free(run->folders);
}

/* ---- Telling ---- */

static int cancelled(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
}

int verify_run_tell(struct verify_run *run, const char *file, const char *path, const char *text,
		    struct mkrootfs_error *error)
{
	struct mkrootfs_error clean;
	const struct mkrootfs_problem problem = { run->name, file, path, clean.message };

	run->result->problems++;
	if (!run->options->problem)
		return 0;
	error_set(&clean, 0, "%s", text);
	return run->options->problem(run->options->problem_user, &problem) ? cancelled(error) : 0;
}

int verify_run_soften(struct verify_run *run, const char *file, int status,
		      struct mkrootfs_error *error)
{
	struct mkrootfs_error reason = *error;

	if (status == 0 || status == MKROOTFS_ERROR_NO_MEMORY || status == MKROOTFS_ERROR_CANCELLED)
		return status;
	return verify_run_tell(run, file, NULL, reason.message, error);
}

int verify_run_report(struct verify_run *run, enum mkrootfs_event_kind kind, const char *text,
		      uint64_t done, struct mkrootfs_error *error)
{
	const struct mkrootfs_event event = {
		.kind = kind, .done = done, .total = run->result->bytes, .text = text
	};

	if (run->events.fn && run->events.fn(run->events.user, &event))
		run->events.cancelled = true;
	return events_check(&run->events, error);
}

/* ---- One image ---- */

/* Between the image's own names and those of the run. */
struct relay {
	struct verify_run *run;
	struct mkrootfs_error *error;
	int status;
};

static int on_problem(void *user, const struct erofs_problem *problem)
{
	struct relay *relay = user;
	struct buf path = BUF_INIT(SIZE_MAX / 2);

	if (problem->path)
		relay->status = buf_printf(&path, relay->error, "/%s", problem->path);
	if (relay->status == 0)
		relay->status = verify_run_tell(relay->run, problem->file, (char *)path.data,
						problem->text, relay->error);
	buf_free(&path);
	return relay->status;
}

static int on_progress(void *user, uint64_t bytes)
{
	struct relay *relay = user;

	relay->run->unheard += bytes;
	if (relay->run->unheard < ASK_EVERY)
		return 0;
	relay->run->unheard = 0;
	return events_wait(&relay->run->events);
}

int verify_run_image(struct verify_run *run, struct erofs_reader *reader, bool needs_seal,
		     bool metadata_only, struct mkrootfs_error *error)
{
	struct relay relay = { .run = run, .error = error };
	const struct erofs_verify_options options = { .problem = on_problem,
						      .progress = on_progress,
						      .user = &relay,
						      .needs_seal = needs_seal,
						      .metadata_only = metadata_only };
	uint64_t told = run->result->problems;
	struct erofs_verify_result result;
	int status = erofs_verify(&result, reader, &options, error);

	run->result->images += result.images;
	run->result->bytes += result.bytes;
	run->result->unsealed += result.unsealed;
	run->result->unread += result.unread;
	/* Those that were too many to tell. */
	if (run->result->problems - told < result.problems)
		run->result->problems = told + result.problems;
	return status;
}
