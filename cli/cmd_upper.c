/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include "command.h"
#include "export_view.h"
#include "image_view.h"
#include "interrupt.h"
#include "made_file.h"
#include "tree_operand.h"
#include "upper_entries.h"
#include "upper_options.h"

static void print_use(FILE *out, const char *path)
{
	fputs("\nAttach it writable, behind the image's disk, for example to QEMU by\n\n  ", out);
	print_qemu_drive(out, "format=raw", path);
	fputs("\n\nand mount them in the guest:\n\n", out);
	print_guest_mounts(out);
}

/* One without content is made at once, and needs no way out. */
static int make_disk(const struct invocation *invocation, struct mkrootfs_upper_options *options,
		     struct mkrootfs_error *error)
{
	struct export_view view;
	int status;

	if (options->entry_count)
		interrupt_watch();
	export_view_open(&view, invocation->err, is_given(invocation, OPTION_QUIET));
	options->events = export_view_event;
	options->events_user = &view;
	status = mkrootfs_upper(invocation->arguments.operands[0], options, error);
	export_view_clear(&view);
	return status;
}

/* The image that the upper goes over, when one is named. */
static int open_image(struct tree_operand *image, struct invocation *invocation,
		      struct mkrootfs_error *error)
{
	const char *const *values = invocation->arguments.values;
	char word[PATH_MAX];

	*image = (struct tree_operand){ 0 };
	if (!values[OPTION_IMAGE])
		return 0;
	snprintf(word, sizeof(word), "%s", values[OPTION_IMAGE]);
	return tree_operand_open(image, values[OPTION_STORE], word, error);
}

static int make(struct invocation *invocation, struct mkrootfs_upper_options *options)
{
	struct tree_operand image;
	struct mkrootfs_error error;
	int status = open_image(&image, invocation, &error);

	if (status < 0)
		return failure(invocation, &error);
	options->image = image.tree;
	status = make_disk(invocation, options, &error);
	if (image.tree)
		tree_operand_close(&image);
	return status < 0 ? failure(invocation, &error) : EXIT_CODE_OK;
}

static int run_upper(struct invocation *invocation)
{
	struct mkrootfs_upper_entry entries[OPTIONS_MAX];
	struct mkrootfs_upper_options options;
	int code = made_file_check_name(invocation, invocation->arguments.operands[0]);

	if (!code)
		code = upper_options_read(&options, invocation);
	if (!code)
		code = upper_entries_read(entries, &options.entry_count, invocation);
	if (code)
		return code;
	options.entries = entries;
	code = make(invocation, &options);
	upper_entries_free(entries, options.entry_count);
	return code ? code
		    : made_file_print(invocation, invocation->arguments.operands[0], print_use);
}

static const struct option_spec options[] = {
	{ OPTION_SIZE, 's', "size", "SIZE",
	  "bytes, or a number with K, M, G or T (powers\nof 1024); default 4G, at least 8M" },
	OPTION_SPECS_EXT4,
	{ OPTION_UUID, 0, "uuid", "UUID", "default: derived from the other options" },
	{ OPTION_LABEL, 0, "label", "LABEL", "at most 16 bytes; default none" },
	{ OPTION_IMAGE, 0, "image", "IMAGE",
	  "the image that it goes over: its directories'\nattributes are kept, its links "
	  "followed" },
	{ OPTION_COPY_IN, 0, "copy-in", "HOST:PATH", "copy a file or folder of the host" },
	{ OPTION_FROM, 0, "from", "TAR", "unpack an archive; -: standard input" },
	{ OPTION_MKDIR, 0, "mkdir", "PATH", "make a directory" },
	{ OPTION_WRITE, 0, "write", "PATH=TEXT", "write a file" },
	{ OPTION_SYMLINK, 0, "symlink", "PATH=TARGET", "make a symbolic link" },
	{ OPTION_REMOVE, 0, "remove", "PATH", "hide what the image has there" },
	{ OPTION_CHOWN, 0, "chown", "UID[:GID]", "owner of what the options behind it make" },
	{ OPTION_CHMOD, 0, "chmod", "MODE", "their octal mode" },
	OPTION_SPEC_STORE,
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
		"times in it are SOURCE_DATE_EPOCH, or the start of 1970.\n"
		"\n"
		"What else it is to hold is told by --copy-in, --from, --mkdir, --write,\n"
		"--symlink and --remove, done in their order. In the guest it lies over the\n"
		"image, which --image names: a name in the store, or a path.\n",
	.examples = "  mkrootfs upper upper.ext4\n"
		    "  mkrootfs upper --size 20G --label state vm1.ext4\n"
		    "  mkrootfs upper --size 1.5G --force upper.ext4\n"
		    "  mkrootfs upper --size 10G --max-size 200G upper.ext4\n"
		    "  mkrootfs upper --image python:3.12 --copy-in ./app:/srv/ \\\n"
		    "      --write /etc/hostname=vm1 --remove /etc/motd vm1.ext4\n",
	.options = options,
	.operand = "FILE",
	.store_optional = true,
	.run = run_upper,
};
