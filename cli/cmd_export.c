/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "command.h"
#include "export_view.h"
#include "interrupt.h"
#include "stream_output.h"
#include "tree_operand.h"

struct export
{
	struct stream_output output;
	struct export_view view;
};

static int export_tree(struct export *e, const struct mkrootfs_tree *tree,
		       struct mkrootfs_error *error)
{
	const struct mkrootfs_export_options options = {
		.events = export_view_event,
		.events_user = &e->view,
		.replace = is_given(e->output.invocation, OPTION_FORCE),
	};
	const char *file = stream_output_file(&e->output);

	if (file)
		return mkrootfs_tree_export_file(tree, file, &options, error);
	return mkrootfs_tree_export(tree, stream_output_write, &e->output, &options, error);
}

static int export_operand(struct export *e, struct tree_operand *operand)
{
	struct mkrootfs_error error;
	int status;

	if (strcmp(operand->path, "/") != 0)
		return usage_error(e->output.invocation,
				   "only a whole image can be exported, without ':%s'",
				   operand->path);
	interrupt_watch();
	export_view_open(&e->view, e->output.invocation->err,
			 is_given(e->output.invocation, OPTION_QUIET));
	status = export_tree(e, operand->tree, &error);
	export_view_clear(&e->view);
	return status < 0 ? stream_output_failure(&e->output, &error) : EXIT_CODE_OK;
}

static int run_export(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	const char *format = arguments->values[OPTION_FORMAT];
	struct export e = { .output.invocation = invocation };
	struct tree_operand operand;
	struct mkrootfs_error error;
	int code;

	if (format && strcmp(format, "tar") != 0)
		return usage_error(invocation, "'--format %s' is unknown: it can be tar", format);
	if (stream_output_is_terminal(&e.output))
		return usage_error(invocation,
				   "a tar is nothing for a terminal: give -o FILE, or a pipe");
	if (tree_operand_open(&operand, arguments->values[OPTION_STORE], arguments->operands[0],
			      &error) < 0)
		return failure(invocation, &error);
	code = export_operand(&e, &operand);
	tree_operand_close(&operand);
	return code;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_OUTPUT, 'o', "output", "FILE", "write to FILE; default, and -: standard output" },
	{ OPTION_FORMAT, 0, "format", "FORMAT", "tar, the default and the only one" },
	{ OPTION_FORCE, 'f', "force", NULL, "replace an existing file" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "no progress" },
	OPTION_SPEC_END,
};

const struct command command_export = {
	.name = "export",
	.summary = "write a root filesystem as a tar",
	.synopsis = "[OPTION]... IMAGE",
	.description =
		"Writes all files of an image as one tar, as 'docker export' does, with hard\n"
		"links, devices, extended attributes, holes and nanoseconds.\n"
		"\n"
		"IMAGE is the name of an image in the store; or, beginning with /, ./ or ../, the\n"
		"path of an image folder, a disk.vmdk, a raw disk or a layer image. A layer image\n"
		"becomes the tar of an OCI layer again, with its whiteouts.\n"
		"\n"
		"A FILE appears complete or not at all. The same image gives the same bytes.\n",
	.examples =
		"  mkrootfs export python:3.12 | tar -t\n"
		"  mkrootfs export -o python.tar python:3.12\n"
		"  mkrootfs export python:3.12 | docker import - python:flat\n"
		"  mkrootfs export ./layer.erofs | tar --xattrs --xattrs-include='*' -xpC there\n",
	.options = options,
	.operand = "IMAGE",
	.store_optional = true,
	.run = run_export,
};
