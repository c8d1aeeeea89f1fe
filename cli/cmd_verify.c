/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "interrupt.h"
#include "message.h"
#include "verify_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct verification {
	const struct invocation *invocation;
	struct verify_report report;
	const char *name; /* of a file, as it was given; NULL: the library's names */
	bool removed;
	bool in_store; /* something of a store has problems */
	int code;
};

static int on_problem(void *user, const struct mkrootfs_problem *problem)
{
	struct verification *v = user;

	verify_report_problem(&v->report, v->name ? v->name : problem->name, problem);
	v->in_store = v->in_store || !v->name;
	return interrupt_signal() != 0;
}

static int on_event(void *user, const struct mkrootfs_event *event)
{
	struct verification *v = user;

	if (event->kind == MKROOTFS_EVENT_VERIFIED)
		verify_report_item(&v->report, event->text, NULL);
	if (event->kind == MKROOTFS_EVENT_REMOVED) {
		verify_report_removed(&v->report, event->text);
		v->removed = true;
	}
	return interrupt_signal() != 0;
}

static struct mkrootfs_verify_options options_of(struct verification *v)
{
	return (struct mkrootfs_verify_options){
		.problem = on_problem,
		.problem_user = v,
		.events = on_event,
		.events_user = v,
		.remove_damaged = is_given(v->invocation, OPTION_REMOVE_DAMAGED),
	};
}

static void fail(struct verification *v, const struct mkrootfs_error *error)
{
	int code = failure(v->invocation, error);

	v->code = v->code ? v->code : code;
}

/* Before the first pull there is no store, which is no mistake; one that was named is. */
static bool has_store(struct verification *v)
{
	const struct invocation *invocation = v->invocation;
	const char *store = invocation->arguments.values[OPTION_STORE];
	char text[512];
	struct stat st;

	if (stat(store, &st) == 0 || errno != ENOENT)
		return true;
	snprintf(text, sizeof(text), "there is no store '%.400s'", store);
	if (store != invocation->store) {
		print_failure(invocation->err, text);
		v->code = EXIT_CODE_NOT_FOUND;
	} else if (!is_given(invocation, OPTION_JSON) && !is_given(invocation, OPTION_QUIET)) {
		print_warning(invocation->err, text);
	}
	return false;
}

static void verify_store(struct verification *v, const char *name)
{
	const struct mkrootfs_verify_options options = options_of(v);
	struct mkrootfs_verify_result result;
	struct mkrootfs_error error;

	v->name = NULL;
	if (mkrootfs_store_verify(&result, v->invocation->arguments.values[OPTION_STORE], name,
				  &options, &error) < 0)
		fail(v, &error);
}

/* ---- A file ---- */

static const char *note_of(const struct mkrootfs_verify_result *result)
{
	if (result->unsealed)
		return "as far as its structure shows: it holds no hashes of its data";
	return result->unread ? "but for files in layouts that are not read" : NULL;
}

/* What cannot even be opened is a result, not a failure to come to one. */
static void refuse(struct verification *v, const char *path, const struct mkrootfs_error *error)
{
	const struct mkrootfs_problem problem = { .name = path, .text = error->message };

	verify_report_problem(&v->report, path, &problem);
	verify_report_item(&v->report, path, NULL);
}

static void verify_file(struct verification *v, const char *path)
{
	const struct mkrootfs_verify_options options = options_of(v);
	struct mkrootfs_verify_result result;
	struct mkrootfs_tree *tree;
	struct mkrootfs_error error;
	int status = mkrootfs_tree_open(&tree, path, &error);

	v->name = path;
	if (status == MKROOTFS_ERROR_MALFORMED) {
		refuse(v, path, &error);
		return;
	}
	if (status == 0)
		status = mkrootfs_tree_verify(&result, tree, &options, &error);
	if (status < 0)
		fail(v, &error);
	else
		verify_report_item(&v->report, path, note_of(&result));
	mkrootfs_tree_close(tree);
}

/* ---- The command ---- */

static bool is_path(const char *word)
{
	return *word == '/' || !strncmp(word, "./", 2) || !strncmp(word, "../", 3) ||
	       !strcmp(word, ".") || !strcmp(word, "..");
}

static void verify_all(struct verification *v)
{
	const struct arguments *arguments = &v->invocation->arguments;

	if (!arguments->operand_count && has_store(v))
		verify_store(v, NULL);
	for (size_t i = 0; i < arguments->operand_count && !interrupt_signal(); i++) {
		if (is_path(arguments->operands[i]))
			verify_file(v, arguments->operands[i]);
		else
			verify_store(v, arguments->operands[i]);
	}
}

static void advise(const struct verification *v)
{
	if (v->removed)
		print_hint(v->invocation->err, "pull the images again whose files were removed");
	else if (v->in_store)
		print_hint(v->invocation->err,
			   "'mkrootfs verify --remove-damaged' removes what is damaged, "
			   "then a pull makes it again");
}

static int run_verify(struct invocation *invocation)
{
	struct verification v = { .invocation = invocation };
	enum verify_form form = is_given(invocation, OPTION_QUIET) ? VERIFY_QUIET : VERIFY_LINES;
	int opened;

	if (is_given(invocation, OPTION_JSON))
		form = VERIFY_JSON;
	opened = verify_report_open(&v.report, invocation->out, invocation->err, form);
	if (opened == 0) {
		interrupt_watch();
		verify_all(&v);
	}
	verify_report_close(&v.report);
	if (opened < 0) {
		print_failure(invocation->err, "out of memory");
		return EXIT_CODE_FAILED;
	}
	if (v.report.total)
		advise(&v);
	if (v.code)
		return v.code;
	return v.report.total ? EXIT_CODE_BAD_INPUT : EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_REMOVE_DAMAGED, 0, "remove-damaged", NULL,
	  "remove damaged layers and images from the\nstore, so that the next pull makes them "
	  "anew" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "print only problems" },
	{ OPTION_JSON, 0, "json", NULL, "print a JSON array with an object for each image" },
	OPTION_SPEC_END,
};

const struct command command_verify = {
	.name = "verify",
	.summary = "read images and look for damage",
	.synopsis = "[OPTION]... [IMAGE|FILE]...",
	.description =
		"Reads everything and compares it with the hashes and digests that were recorded\n"
		"when it was written, and checks the structure; names the damaged files. A pull\n"
		"trusts what the store has, so run this when you doubt a disk.\n"
		"\n"
		"IMAGE is one of the store, by any of its names. FILE is a path that begins with\n"
		"/, ./ or ../: a layer image, an fsmeta, a disk, or an image folder. Without\n"
		"either, all images and layers of the store are verified.\n"
		"\n"
		"Exit code 6 says that there are problems.\n",
	.examples = "  mkrootfs verify\n"
		    "  mkrootfs verify python:3.12\n"
		    "  mkrootfs verify --remove-damaged || mkrootfs pull python:3.12\n"
		    "  mkrootfs verify ./disk.vmdk ./layer.erofs\n",
	.options = options,
	.operand = "IMAGE",
	.operand_optional = true,
	.operand_many = true,
	.run = run_verify,
};
