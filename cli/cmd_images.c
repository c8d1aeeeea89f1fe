/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "escape.h"
#include "image_view.h"
#include "message.h"
#include "size.h"

#include <string.h>

/* Columns of the widest cell of a text, at least those of its heading. */
struct widths {
	int reference, platform;
};

static const char *shown_reference(const struct mkrootfs_image *image)
{
	const char *reference = mkrootfs_image_reference(image);

	return *reference ? reference : "-";
}

static void widen(int *width, const char *text)
{
	int length = (int)strlen(text);

	if (length > *width)
		*width = length;
}

static struct widths measure(const struct mkrootfs_image_list *list)
{
	struct widths widths = { sizeof("REFERENCE") - 1, sizeof("PLATFORM") - 1 };

	for (size_t i = 0; i < list->count; i++) {
		widen(&widths.reference, shown_reference(list->images[i]));
		widen(&widths.platform, mkrootfs_image_platform(list->images[i]));
	}
	return widths;
}

static void print_cell(FILE *out, const char *text, int width)
{
	size_t length = strlen(text);

	print_escaped(out, text, length);
	fprintf(out, "%*s", width - (int)length + 2, "");
}

static void print_row(FILE *out, const struct mkrootfs_image *image, struct widths widths)
{
	char digest[SHORT_DIGEST], size[SIZE_TEXT];

	print_cell(out, shown_reference(image), widths.reference);
	print_cell(out, short_digest(digest, mkrootfs_image_digest(image)), SHORT_DIGEST - 1);
	print_cell(out, mkrootfs_image_platform(image), widths.platform);
	fprintf(out, "%6zu  %10s\n", mkrootfs_image_layer_count(image),
		size_format(size, mkrootfs_image_disk_size(image)));
}

static void print_table(FILE *out, const struct mkrootfs_image_list *list)
{
	struct widths widths = measure(list);

	print_cell(out, "REFERENCE", widths.reference);
	print_cell(out, "DIGEST", SHORT_DIGEST - 1);
	print_cell(out, "PLATFORM", widths.platform);
	fprintf(out, "LAYERS  %10s\n", "SIZE");
	for (size_t i = 0; i < list->count; i++)
		print_row(out, list->images[i], widths);
}

static void print_json(FILE *out, const struct mkrootfs_image_list *list)
{
	fputs("[", out);
	for (size_t i = 0; i < list->count; i++)
		fprintf(out, "%s\n%s", i ? "," : "", mkrootfs_image_json(list->images[i]));
	fputs(list->count ? "\n]\n" : "]\n", out);
}

static void print_digests(FILE *out, const struct mkrootfs_image_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		fprintf(out, "%s\n", mkrootfs_image_digest(list->images[i]));
}

/* Damaged images stay in the list, so that one of them does not hide the others. */
static void warn_of_problems(FILE *err, const struct mkrootfs_image_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (mkrootfs_image_problem(list->images[i]))
			print_warning(err, mkrootfs_image_problem(list->images[i]));
}

static int run_images(struct invocation *invocation)
{
	struct mkrootfs_image_list *list;
	struct mkrootfs_error error;

	if (mkrootfs_image_list(&list, invocation->arguments.values[OPTION_STORE], &error) < 0)
		return failure(invocation, &error);
	warn_of_problems(invocation->err, list);
	if (is_given(invocation, OPTION_JSON))
		print_json(invocation->out, list);
	else if (is_given(invocation, OPTION_QUIET))
		print_digests(invocation->out, list);
	else
		print_table(invocation->out, list);
	mkrootfs_image_list_free(list);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_QUIET, 'q', "quiet", NULL, "print only the digests" },
	{ OPTION_JSON, 0, "json", NULL, "print a JSON array of all images" },
	OPTION_SPEC_END,
};

const struct command command_images = {
	.name = "images",
	.summary = "list the images of the store",
	.synopsis = "[OPTION]...",
	.description =
		"Lists the images of the store, sorted by reference. SIZE is that of the disk;\n"
		"images share the layers they have in common.\n",
	.examples = "  mkrootfs images\n"
		    "  mkrootfs images --json | jq -r '.[].reference'\n",
	.options = options,
	.run = run_images,
};
