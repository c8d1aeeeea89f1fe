/* SPDX-License-Identifier: Apache-2.0 */
#include "entry_view.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "escape.h"
#include "file_json.h"
#include "file_view.h"

void print_entry_name(const struct entry_view *view, const char *name)
{
	if (view->escape)
		print_escaped(view->out, name, strlen(name));
	else
		fputs(name, view->out);
}

/* A device has its numbers in the place of a size. */
static void print_size(FILE *out, const struct mkrootfs_stat *stat)
{
	char text[32];

	if (is_type(stat, S_IFCHR) || is_type(stat, S_IFBLK))
		snprintf(text, sizeof(text), "%" PRIu32 ", %" PRIu32, stat->device_major,
			 stat->device_minor);
	else
		snprintf(text, sizeof(text), "%" PRIu64, stat->size);
	fprintf(out, "%10s", text);
}

/* Columns are of fixed width: a listing is printed while it is read. */
static void print_long(const struct entry_view *view, const char *name,
		       const struct mkrootfs_stat *stat, const char *target)
{
	char mode[MODE_TEXT], time[TIME_TEXT];

	fprintf(view->out, "%s %3" PRIu32 " %5" PRIu32 " %5" PRIu32 " ",
		mode_format(mode, stat->mode), stat->links, stat->uid, stat->gid);
	print_size(view->out, stat);
	fprintf(view->out, " %s ", time_format(time, stat, false));
	print_entry_name(view, name);
	if (target) {
		fputs(" -> ", view->out);
		print_entry_name(view, target);
	}
	if (is_whiteout(stat))
		fputs(" (whiteout)", view->out);
	putc('\n', view->out);
}

int print_entry(struct entry_view *view, const struct tree_operand *place, const char *name,
		const char *path, const struct mkrootfs_stat *stat, const char *target,
		struct mkrootfs_error *error)
{
	bool first = view->printed++ == 0;

	switch (view->form) {
	case ENTRY_JSON:
		fputs(first ? "\n" : ",\n", view->out);
		return print_file_json(view->out, place, path, stat, target, error);
	case ENTRY_LONG:
		print_long(view, name, stat, target);
		return 0;
	case ENTRY_NULL:
		fputs(name, view->out);
		putc('\0', view->out);
		return 0;
	default:
		print_entry_name(view, name);
		putc('\n', view->out);
		return 0;
	}
}
