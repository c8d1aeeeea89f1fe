/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "command.h"
#include "export_view.h"
#include "image_view.h"
#include "interrupt.h"
#include "made_file.h"
#include "stream_output.h"
#include "tree_operand.h"
#include "upper_options.h"

struct build {
	struct stream_output output;
	struct export_view view;
	struct mkrootfs_upper_options filesystem;
};

static void print_use(FILE *out, const char *path)
{
	fputs("\nAttach it writable, for example to QEMU by\n\n  ", out);
	print_qemu_drive(out, "format=raw", path);
	fputs("\n\nIt is a whole root filesystem: a kernel can start from it with\n\n"
	      "  root=/dev/vda rw\n",
	      out);
}

static int build_tree(struct build *b, const struct mkrootfs_tree *tree,
		      struct mkrootfs_error *error)
{
	const struct mkrootfs_build_options options = {
		.size = b->filesystem.size,
		.uuid = b->filesystem.uuid,
		.label = b->filesystem.label,
		.source_date = b->filesystem.source_date,
		.inode_ratio = b->filesystem.inode_ratio,
		.journal_size = b->filesystem.journal_size,
		.max_size = b->filesystem.max_size,
		.reserved_ppm = b->filesystem.reserved_ppm,
		.events = export_view_event,
		.events_user = &b->view,
		.replace = b->filesystem.replace,
	};

	return mkrootfs_tree_build_ext4(tree, stream_output_file(&b->output), &options, error);
}

static int build_operand(struct build *b, const struct tree_operand *operand)
{
	const struct invocation *invocation = b->output.invocation;
	struct mkrootfs_error error;
	int status;

	if (strcmp(operand->path, "/") != 0)
		return usage_error(invocation, "only a whole image can be built, without ':%s'",
				   operand->path);
	interrupt_watch();
	export_view_open(&b->view, invocation->err, is_given(invocation, OPTION_QUIET));
	status = build_tree(b, operand->tree, &error);
	export_view_clear(&b->view);
	return status < 0 ? stream_output_failure(&b->output, &error)
			  : made_file_print(invocation, stream_output_file(&b->output), print_use);
}

static int read_words(struct build *b)
{
	const struct invocation *invocation = b->output.invocation;
	const char *format = invocation->arguments.values[OPTION_FORMAT];

	if (format && strcmp(format, "ext4") != 0)
		return usage_error(invocation, "'--format %s' is unknown: it can be ext4", format);
	if (!invocation->arguments.values[OPTION_OUTPUT])
		return usage_error(invocation, "the file to write is missing: give -o FILE");
	if (!stream_output_file(&b->output))
		return usage_error(invocation,
				   "a disk image has holes, which standard output cannot have: "
				   "give -o FILE");
	return upper_options_read(&b->filesystem, invocation);
}

static int run_build(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	struct build b = { .output.invocation = invocation };
	struct tree_operand operand;
	struct mkrootfs_error error;
	int code = read_words(&b);

	if (code)
		return code;
	if (tree_operand_open(&operand, arguments->values[OPTION_STORE], arguments->operands[0],
			      &error) < 0)
		return failure(invocation, &error);
	code = build_operand(&b, &operand);
	tree_operand_close(&operand);
	return code;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_OUTPUT, 'o', "output", "FILE", "write to FILE" },
	{ OPTION_FORMAT, 0, "format", "FORMAT", "ext4, the default and the only one" },
	{ OPTION_SIZE, 's', "size", "SIZE",
	  "bytes, or a number with K, M, G or T (powers\nof 1024); default: a quarter more than "
	  "the "
	  "files\ntake, at least 64M more" },
	OPTION_SPECS_EXT4,
	{ OPTION_UUID, 0, "uuid", "UUID", "default: derived from image and options" },
	{ OPTION_LABEL, 0, "label", "LABEL", "at most 16 bytes; default none" },
	{ OPTION_FORCE, 'f', "force", NULL, "replace an existing file" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "no progress; print only the path of the file" },
	{ OPTION_JSON, 0, "json", NULL, "print the result as one JSON object" },
	OPTION_SPEC_END,
};

const struct command command_build = {
	.name = "build",
	.summary = "make one writable disk of an image",
	.synopsis = "[OPTION]... -o FILE IMAGE",
	.description =
		"Writes all files of an image as one ext4 filesystem, sparse and with a journal,\n"
		"that a guest mounts writable or starts from, without overlayfs. Hard links,\n"
		"devices, extended attributes, holes and nanoseconds are kept. Where the host's\n"
		"filesystem can share blocks (btrfs, xfs), the data are not copied.\n"
		"\n"
		"IMAGE is the name of an image in the store; or, beginning with /, ./ or ../, the\n"
		"path of an image folder, a disk.vmdk or a raw disk.\n"
		"\n"
		"The FILE appears complete or not at all. The same image and options give the\n"
		"same bytes.\n",
	.examples = "  mkrootfs build python:3.12 -o python.ext4\n"
		    "  mkrootfs build --size 20G --label root -o vm1.ext4 python:3.12\n"
		    "  mkrootfs build -o out.ext4 ./images/0123abcd\n",
	.options = options,
	.operand = "IMAGE",
	.store_optional = true,
	.run = run_build,
};
