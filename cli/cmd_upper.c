/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "image_view.h"
#include "made_file.h"
#include "upper_options.h"

static void print_use(FILE *out, const char *path)
{
	fputs("\nAttach it writable, behind the image's disk, for example to QEMU by\n\n  ", out);
	print_qemu_drive(out, "format=raw", path);
	fputs("\n\nand mount them in the guest:\n\n", out);
	print_guest_mounts(out);
}

static int run_upper(struct invocation *invocation)
{
	struct mkrootfs_upper_options options;
	struct mkrootfs_error error;
	int code = upper_options_read(&options, invocation);

	if (code)
		return code;
	if (mkrootfs_upper(invocation->arguments.operands[0], &options, &error) < 0)
		return failure(invocation, &error);
	return made_file_print(invocation, invocation->arguments.operands[0], print_use);
}

static const struct option_spec options[] = {
	{ OPTION_SIZE, 's', "size", "SIZE",
	  "bytes, or a number with K, M, G or T (powers\nof 1024); default 4G, at least 8M" },
	{ OPTION_MAX_SIZE, 0, "max-size", "SIZE",
	  "reserve what growing to SIZE takes while mounted" },
	{ OPTION_INODE_RATIO, 0, "inode-ratio", "SIZE", "bytes for each inode; default 16K" },
	{ OPTION_JOURNAL_SIZE, 0, "journal-size", "SIZE",
	  "4M to 256M; default by the size, at most 64M" },
	{ OPTION_RESERVED_BLOCKS, 0, "reserved-blocks", "PERCENT",
	  "of the blocks for root alone; default 0" },
	{ OPTION_UUID, 0, "uuid", "UUID", "default: derived from the other options" },
	{ OPTION_LABEL, 0, "label", "LABEL", "at most 16 bytes; default none" },
	{ OPTION_FORCE, 'f', "force", NULL, "replace an existing file" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "print only the path of the file" },
	{ OPTION_JSON, 0, "json", NULL, "print the result as one JSON object" },
	OPTION_SPEC_END,
};

const struct command command_upper = {
	.name = "upper",
	.summary = "make a writable disk for one guest",
	.synopsis = "[OPTION]... FILE",
	.description =
		"Writes a sparse, journaled ext4 image that holds the directories upper/ and\n"
		"work/ for overlayfs in the guest. The same options give the same bytes; all\n"
		"times in it are SOURCE_DATE_EPOCH, or the start of 1970.\n",
	.examples = "  mkrootfs upper upper.ext4\n"
		    "  mkrootfs upper --size 20G --label state vm1.ext4\n"
		    "  mkrootfs upper --size 1.5G --force upper.ext4\n"
		    "  mkrootfs upper --size 10G --max-size 200G upper.ext4\n",
	.options = options,
	.operand = "FILE",
	.run = run_upper,
};
