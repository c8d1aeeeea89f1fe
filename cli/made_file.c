/* SPDX-License-Identifier: Apache-2.0 */
#include "made_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "escape.h"
#include "image_view.h"
#include "message.h"
#include "size.h"

static void print_json(FILE *out, const char *path, const struct stat *file)
{
	fputs("{\"path\": ", out);
	print_json_string(out, path);
	fprintf(out, ", \"size\": %" PRIu64 ", \"allocated\": %" PRIu64 "}\n",
		(uint64_t)file->st_size, (uint64_t)file->st_blocks * 512);
}

static void print_text(FILE *out, const char *path, const struct stat *file)
{
	char size[SIZE_TEXT];

	print_field(out, "File", path);
	print_field(out, "Size", size_format(size, (uint64_t)file->st_size));
	print_field(out, "On disk", size_format(size, (uint64_t)file->st_blocks * 512));
}

int made_file_check_name(const struct invocation *invocation, const char *name)
{
	if (strcmp(name, "-") != 0)
		return 0;
	return usage_error(invocation, "a disk cannot be written to a stream; a file of the name "
				       "'-' is './-'");
}

int made_file_print(const struct invocation *invocation, const char *name,
		    void (*hint)(FILE *out, const char *path))
{
	char path[PATH_MAX], message[PATH_MAX + 128];
	struct stat file;

	if (!realpath(name, path) || stat(path, &file) < 0) {
		snprintf(message, sizeof(message), "%s: %s", name, strerror(errno));
		print_failure(invocation->err, message);
		return EXIT_CODE_FAILED;
	}
	if (is_given(invocation, OPTION_JSON)) {
		print_json(invocation->out, path, &file);
	} else if (is_given(invocation, OPTION_QUIET)) {
		fprintf(invocation->out, "%s\n", path);
	} else {
		print_text(invocation->out, path, &file);
		hint(invocation->out, path);
	}
	return EXIT_CODE_OK;
}
