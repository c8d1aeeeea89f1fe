/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "tree_operand.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK (256u << 10) /* bytes of one read */

static int copy(FILE *out, const struct mkrootfs_file *file, char *buffer,
		struct mkrootfs_error *error)
{
	uint64_t offset = 0;
	size_t got;
	int status;

	do {
		status = mkrootfs_file_read(&got, file, offset, buffer, CHUNK, error);
		if (status < 0)
			return status;
		offset += got;
	} while (got > 0 && fwrite(buffer, 1, got, out) == got);
	return 0;
}

static int print_operand(const struct invocation *invocation, char *word, char *buffer,
			 struct mkrootfs_error *error)
{
	struct tree_operand place;
	struct mkrootfs_file *file;
	int status =
		tree_operand_open(&place, invocation->arguments.values[OPTION_STORE], word, error);

	if (status < 0)
		return status;
	status = mkrootfs_file_open(&file, place.tree, place.path, error);
	if (status == 0) {
		status = copy(invocation->out, file, buffer, error);
		mkrootfs_file_close(file);
	}
	tree_operand_close(&place);
	return status;
}

/* As cat does it, the rest is printed too when one cannot be. */
static int run_cat(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	struct mkrootfs_error error = { .status = MKROOTFS_ERROR_NO_MEMORY,
					.message = "out of memory" };
	char *buffer = malloc(CHUNK);
	int code = buffer ? EXIT_CODE_OK : failure(invocation, &error);

	for (size_t i = 0; buffer && i < arguments->operand_count && !ferror(invocation->out);
	     i++) {
		if (print_operand(invocation, arguments->operands[i], buffer, &error) < 0) {
			int failed = failure(invocation, &error);

			code = code ? code : failed;
		}
	}
	free(buffer);
	return code;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	OPTION_SPEC_END,
};

const struct command command_cat = {
	.name = "cat",
	.summary = "print files of an image",
	.synopsis = "[OPTION]... IMAGE:PATH...",
	.description =
		"Prints files of images, one behind the other, byte by byte as they are. Symbolic\n"
		"links are followed inside of the image. IMAGE is the name of an image in the\n"
		"store, or the path of an image folder, a disk.vmdk, a raw disk or a layer's\n"
		"image; paths begin with / or ./ or ../.\n",
	.examples = "  mkrootfs cat python:3.12:/etc/os-release\n"
		    "  mkrootfs cat ./disk.vmdk:/usr/bin/env >env\n",
	.options = options,
	.operand = "IMAGE:PATH",
	.operand_many = true,
	.store_optional = true,
	.run = run_cat,
};
