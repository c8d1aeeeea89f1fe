/* SPDX-License-Identifier: Apache-2.0 */
#include "base64.h"
#include "command.h"
#include "escape.h"
#include "file_json.h"
#include "file_view.h"
#include "image_view.h"
#include "layer_of.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static int print_xattr(void *user, const char *name, const void *value, size_t size)
{
	FILE *out = user;

	fprintf(out, "%-13s", "Xattr:");
	print_escaped(out, name, strlen(name));
	if (is_printable(value, size)) {
		fputs(" = ", out);
		print_escaped(out, value, size);
	} else {
		fputs(" = base64 ", out);
		print_base64(out, value, size);
	}
	putc('\n', out);
	return 0;
}

static void print_file(FILE *out, const char *path, const char *target)
{
	fprintf(out, "%-13s", "File:");
	print_escaped(out, path, strlen(path));
	if (target) {
		fputs(" -> ", out);
		print_escaped(out, target, strlen(target));
	}
	putc('\n', out);
}

static void print_attributes(FILE *out, const struct mkrootfs_stat *stat)
{
	char mode[MODE_TEXT], time[TIME_TEXT];

	fprintf(out, "%-13s%s%s\n", "Type:", type_name(stat->mode),
		is_whiteout(stat) ? " (whiteout)" : "");
	if (is_type(stat, S_IFCHR) || is_type(stat, S_IFBLK))
		fprintf(out, "%-13s%" PRIu32 ", %" PRIu32 "\n", "Device:", stat->device_major,
			stat->device_minor);
	fprintf(out, "%-13s%" PRIu64 "\n", "Size:", stat->size);
	fprintf(out, "%-13s%04o/%s\n", "Mode:", (unsigned)(stat->mode & 07777),
		mode_format(mode, stat->mode));
	fprintf(out, "%-13s%" PRIu32 "\n", "Owner:", stat->uid);
	fprintf(out, "%-13s%" PRIu32 "\n", "Group:", stat->gid);
	fprintf(out, "%-13s%s\n", "Modified:", time_format(time, stat, true));
	fprintf(out, "%-13s%" PRIu64 "\n", "Inode:", stat->inode);
	fprintf(out, "%-13s%" PRIu32 "\n", "Links:", stat->links);
}

static void print_data(FILE *out, const struct tree_operand *place,
		       const struct mkrootfs_stat *stat)
{
	const char *layer = layer_of(place, stat);

	if (layer)
		print_field(out, "Layer", layer);
	fprintf(out, "%-13s", "Data:");
	print_escaped(out, stat->data_file, strlen(stat->data_file));
	fprintf(out, ", from byte %" PRIu64 "\n", stat->data_offset);
}

static int print_text(FILE *out, const struct tree_operand *place, const struct mkrootfs_stat *stat,
		      const char *target, struct mkrootfs_error *error)
{
	int status;

	print_file(out, place->path, target);
	print_attributes(out, stat);
	status = mkrootfs_tree_xattrs(place->tree, place->path, MKROOTFS_NO_FOLLOW, print_xattr,
				      out, error);
	if (stat->data_file)
		print_data(out, place, stat);
	return status;
}

static int print_place(const struct invocation *invocation, const struct tree_operand *place,
		       bool first, struct mkrootfs_error *error)
{
	FILE *out = invocation->out;
	char target[MKROOTFS_LINK_SIZE];
	struct mkrootfs_stat stat;
	int status = mkrootfs_tree_stat(&stat, place->tree, place->path, MKROOTFS_NO_FOLLOW, error);
	bool link = status == 0 && is_type(&stat, S_IFLNK);

	if (link)
		status = mkrootfs_tree_readlink(target, place->tree, place->path, error);
	if (status < 0)
		return status;
	if (is_given(invocation, OPTION_JSON)) {
		status = print_file_json(out, place, place->path, &stat, link ? target : NULL,
					 error);
		putc('\n', out);
		return status;
	}
	fputs(first ? "" : "\n", out);
	return print_text(out, place, &stat, link ? target : NULL, error);
}

static int run_stat(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	int code = EXIT_CODE_OK;

	for (size_t i = 0; i < arguments->operand_count; i++) {
		struct mkrootfs_error error;
		struct tree_operand place;
		int status = tree_operand_open(&place, arguments->values[OPTION_STORE],
					       arguments->operands[i], &error);

		if (status == 0)
			status = print_place(invocation, &place, i == 0, &error);
		tree_operand_close(&place);
		if (status < 0) {
			int failed = failure(invocation, &error);

			code = code ? code : failed;
		}
	}
	return code;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_JSON, 0, "json", NULL, "print a JSON object a file, on one line" },
	OPTION_SPEC_END,
};

const struct command command_stat = {
	.name = "stat",
	.summary = "show all attributes of files of an image",
	.synopsis = "[OPTION]... IMAGE[:PATH]...",
	.description =
		"Shows what an image says of a file: type, size, mode, owner, time to the\n"
		"nanosecond, extended attributes, and where on the host its data are. A symbolic\n"
		"link is shown itself. IMAGE is the name of an image in the store, or the path of\n"
		"an image folder, a disk.vmdk, a raw disk or a layer's image; paths begin with /\n"
		"or ./ or ../.\n",
	.examples = "  mkrootfs stat python:3.12:/usr/bin/ping\n"
		    "  mkrootfs stat --json ./disk.vmdk:/etc/shadow | jq -r .mode\n",
	.options = options,
	.operand = "IMAGE",
	.operand_many = true,
	.store_optional = true,
	.run = run_stat,
};
