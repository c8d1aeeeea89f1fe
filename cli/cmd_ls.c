/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "file_view.h"
#include "listing.h"
#include "terminal.h"

#include <string.h>
#include <sys/stat.h>

static enum entry_form form_of(const struct invocation *invocation)
{
	if (is_given(invocation, OPTION_JSON))
		return ENTRY_JSON;
	if (is_given(invocation, OPTION_NULL))
		return ENTRY_NULL;
	return is_given(invocation, OPTION_LONG) ? ENTRY_LONG : ENTRY_NAME;
}

/* As in ls: a link that was named leads on, unless the question is about the link itself. */
static int look(struct mkrootfs_stat *stat, const struct invocation *invocation,
		const struct tree_operand *place, struct mkrootfs_error *error)
{
	struct mkrootfs_error ignored;
	struct mkrootfs_stat behind;
	int status = mkrootfs_tree_stat(stat, place->tree, place->path, MKROOTFS_NO_FOLLOW, error);

	if (status == 0 && is_type(stat, S_IFLNK) && !is_given(invocation, OPTION_LONG) &&
	    !is_given(invocation, OPTION_DIRECTORY) &&
	    mkrootfs_tree_stat(&behind, place->tree, place->path, 0, &ignored) == 0 &&
	    is_type(&behind, S_IFDIR))
		*stat = behind;
	return status;
}

static int show_itself(struct entry_view *view, const struct tree_operand *place, const char *word,
		       const struct mkrootfs_stat *stat, struct mkrootfs_error *error)
{
	char target[MKROOTFS_LINK_SIZE];
	bool link = is_type(stat, S_IFLNK);
	int status = link ? mkrootfs_tree_readlink(target, place->tree, place->path, error) : 0;

	return status < 0 ? status
			  : print_entry(view, place, word, place->path, stat, link ? target : NULL,
					error);
}

/* The name of a directory's listing: of several ones, the word that asked for it. */
static const char *title_of(const struct invocation *invocation, const struct tree_operand *place,
			    const char *word)
{
	if (invocation->arguments.operand_count > 1)
		return word;
	return is_given(invocation, OPTION_RECURSIVE) ? place->path : NULL;
}

static int list_operand(const struct invocation *invocation, struct entry_view *view, char *word,
			struct mkrootfs_error *error)
{
	struct tree_operand place;
	struct mkrootfs_stat stat;
	int status =
		tree_operand_open(&place, invocation->arguments.values[OPTION_STORE], word, error);

	if (status < 0)
		return status;
	status = look(&stat, invocation, &place, error);
	if (status == 0 && is_type(&stat, S_IFDIR) && !is_given(invocation, OPTION_DIRECTORY)) {
		struct listing listing = { .view = view,
					   .place = &place,
					   .recursive = is_given(invocation, OPTION_RECURSIVE),
					   .title = title_of(invocation, &place, word) };

		status = listing_run(&listing, place.path, error);
	} else if (status == 0) {
		status = show_itself(view, &place, word, &stat, error);
	}
	tree_operand_close(&place);
	return status;
}

static int run_ls(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	struct entry_view view = { .out = invocation->out, .form = form_of(invocation) };
	int code = EXIT_CODE_OK;

	view.escape = view.form == ENTRY_LONG || terminal_of(view.out).live;
	if (view.form == ENTRY_JSON)
		putc('[', view.out);
	for (size_t i = 0; i < arguments->operand_count && !ferror(view.out); i++) {
		struct mkrootfs_error error;

		if (list_operand(invocation, &view, arguments->operands[i], &error) < 0 &&
		    !ferror(view.out)) {
			int failed = failure(invocation, &error);

			code = code ? code : failed;
		}
	}
	if (view.form == ENTRY_JSON)
		fputs(view.printed ? "\n]\n" : "]\n", view.out);
	return code;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_LONG, 'l', "long", NULL,
	  "type and mode, links, owner, group,\n"
	  "size or device, time in UTC, and\n"
	  "where symbolic links lead to" },
	{ OPTION_RECURSIVE, 'R', "recursive", NULL, "all below, too" },
	{ OPTION_DIRECTORY, 'd', "directory", NULL, "directories, not what is in them" },
	{ OPTION_NULL, '0', "null", NULL,
	  "names as they are, a NUL behind each;\n"
	  "with --recursive, paths" },
	{ OPTION_JSON, 0, "json", NULL, "print a JSON array with all attributes" },
	OPTION_SPEC_END,
};

const struct command command_ls = {
	.name = "ls",
	.summary = "list files of an image",
	.synopsis = "[OPTION]... IMAGE[:PATH]...",
	.description =
		"Lists a directory of an image, the root when no PATH is given, or shows a file.\n"
		"IMAGE is the name of an image in the store, or the path of an image folder, a\n"
		"disk.vmdk, a raw disk or a layer's image; paths begin with / or ./ or ../.\n"
		"Nothing is mounted, and nobody needs to be root.\n"
		"\n"
		"The order is that of the bytes. Control characters are shown as \\xNN on a\n"
		"terminal and with --long. What a layer deletes is a character device 0, 0.\n",
	.examples = "  mkrootfs ls python:3.12\n"
		    "  mkrootfs ls -l python:3.12:/usr/local/bin\n"
		    "  mkrootfs ls -R ./disk.vmdk:/etc\n"
		    "  mkrootfs ls -R --json ./layer.erofs | jq -r '.[].path'\n",
	.options = options,
	.operand = "IMAGE",
	.operand_many = true,
	.store_optional = true,
	.run = run_ls,
};
