/* SPDX-License-Identifier: Apache-2.0 */
#include "file_json.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base64.h"
#include "escape.h"
#include "file_view.h"
#include "layer_of.h"

/* "key":"text", and "key_base64" where the text alone would lose bytes. */
static void print_name(FILE *out, const char *key, const char *text)
{
	size_t length = strlen(text);

	fprintf(out, "\"%s\":", key);
	print_json_string(out, text);
	if (!is_utf8(text, length)) {
		fprintf(out, ",\"%s_base64\":\"", key);
		print_base64(out, text, length);
		putc('"', out);
	}
}

struct xattr_printer {
	FILE *out;
	const char *before; /* what stands before the next one */
};

static int print_xattr(void *user, const char *name, const void *value, size_t size)
{
	struct xattr_printer *printer = user;
	FILE *out = printer->out;

	fprintf(out, "%s{", printer->before);
	print_name(out, "name", name);
	if (is_printable(value, size)) {
		fputs(",\"text\":", out);
		print_json_text(out, value, size);
	} else {
		fputs(",\"base64\":\"", out);
		print_base64(out, value, size);
		putc('"', out);
	}
	putc('}', out);
	printer->before = ",";
	return 0;
}

static int print_xattrs(FILE *out, const struct tree_operand *place, const char *path,
			struct mkrootfs_error *error)
{
	struct xattr_printer printer = { out, "" };
	int status;

	fputs(",\"xattrs\":[", out);
	status = mkrootfs_tree_xattrs(place->tree, path, MKROOTFS_NO_FOLLOW, print_xattr, &printer,
				      error);
	putc(']', out);
	return status;
}

static void print_data(FILE *out, const struct tree_operand *place,
		       const struct mkrootfs_stat *stat)
{
	const char *layer = layer_of(place, stat);

	fputs(",\"data\":{", out);
	print_name(out, "file", stat->data_file);
	fprintf(out, ",\"offset\":%" PRIu64, stat->data_offset);
	if (layer)
		fprintf(out, ",\"layer\":\"%s\"", layer);
	putc('}', out);
}

int print_file_json(FILE *out, const struct tree_operand *place, const char *path,
		    const struct mkrootfs_stat *stat, const char *target,
		    struct mkrootfs_error *error)
{
	int status;

	putc('{', out);
	print_name(out, "path", path);
	fprintf(out,
		",\"type\":\"%s\",\"mode\":\"%04o\",\"inode\":%" PRIu64 ",\"links\":%" PRIu32
		",\"uid\":%" PRIu32 ",\"gid\":%" PRIu32 ",\"size\":%" PRIu64 ",\"mtime\":%" PRId64
		",\"mtime_nsec\":%" PRIu32,
		type_name(stat->mode), (unsigned)(stat->mode & 07777), stat->inode, stat->links,
		stat->uid, stat->gid, stat->size, stat->mtime, stat->mtime_nsec);
	if (target) {
		putc(',', out);
		print_name(out, "target", target);
	}
	if (is_type(stat, S_IFCHR) || is_type(stat, S_IFBLK))
		fprintf(out, ",\"major\":%" PRIu32 ",\"minor\":%" PRIu32, stat->device_major,
			stat->device_minor);
	status = print_xattrs(out, place, path, error);
	if (stat->data_file)
		print_data(out, place, stat);
	putc('}', out);
	return status;
}
