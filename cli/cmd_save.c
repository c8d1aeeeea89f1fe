/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "command.h"
#include "export_view.h"
#include "interrupt.h"
#include "stream_output.h"

struct saving {
	struct stream_output output;
	struct export_view view;
};

/* Without its digest a layer is read to know it, before it is written. Each is shown once. */
static void show(struct saving *s, const struct mkrootfs_event *event)
{
	char label[sizeof(s->view.label)];

	snprintf(label, sizeof(label), "%s layer %u/%u: ", event->digest ? "write" : "read",
		 event->layer_index + 1, event->layer_count);
	if (strcmp(label, s->view.label) != 0)
		s->view.shown = 0;
	memcpy(s->view.label, label, sizeof(label));
	export_view_show(&s->view, event->done, event->total);
}

static int on_event(void *user, const struct mkrootfs_event *event)
{
	struct saving *s = user;

	if (event->kind != MKROOTFS_EVENT_EXPORT_PROGRESS)
		return export_view_event(&s->view, event);
	show(s, event);
	return interrupt_signal() != 0;
}

/* Returns 0 or an exit code. */
static int read_format(enum mkrootfs_save_format *format, const struct invocation *invocation)
{
	const char *word = invocation->arguments.values[OPTION_FORMAT];

	*format = MKROOTFS_SAVE_DOCKER_ARCHIVE;
	if (!word || !strcmp(word, "docker-archive"))
		return 0;
	*format = MKROOTFS_SAVE_OCI_ARCHIVE;
	if (!strcmp(word, "oci-archive"))
		return 0;
	return usage_error(invocation,
			   "'--format %s' is unknown: it can be docker-archive or oci-archive",
			   word);
}

static int save(struct saving *s, enum mkrootfs_save_format format, struct mkrootfs_error *error)
{
	const struct invocation *invocation = s->output.invocation;
	const struct arguments *arguments = &invocation->arguments;
	const struct mkrootfs_save_options options = {
		.format = format,
		.name = arguments->values[OPTION_NAME],
		.source = arguments->values[OPTION_SOURCE],
		.events = on_event,
		.events_user = s,
		.replace = is_given(invocation, OPTION_FORCE),
	};
	const char *file = stream_output_file(&s->output);
	struct mkrootfs_image *image;
	int status = mkrootfs_image_open(&image, arguments->values[OPTION_STORE],
					 arguments->operands[0], error);

	if (status < 0)
		return status;
	interrupt_watch();
	export_view_open(&s->view, invocation->err, is_given(invocation, OPTION_QUIET));
	if (file)
		status = mkrootfs_save_file(image, file, &options, error);
	else
		status = mkrootfs_save(image, stream_output_write, &s->output, &options, error);
	export_view_clear(&s->view);
	mkrootfs_image_free(image);
	return status;
}

static int run_save(struct invocation *invocation)
{
	struct saving s = { .output.invocation = invocation };
	enum mkrootfs_save_format format;
	struct mkrootfs_error error;
	int code = read_format(&format, invocation);

	if (code)
		return code;
	if (stream_output_is_terminal(&s.output))
		return usage_error(invocation,
				   "an archive is nothing for a terminal: give -o FILE, or a pipe");
	if (save(&s, format, &error) < 0)
		return stream_output_failure(&s.output, &error);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_OUTPUT, 'o', "output", "FILE", "write to FILE; default, and -: standard output" },
	{ OPTION_FORMAT, 0, "format", "FORMAT", "docker-archive, the default, or oci-archive" },
	{ OPTION_NAME, 0, "name", "REFERENCE",
	  "name of the image in the archive; default: the\nname in the store" },
	{ OPTION_SOURCE, 0, "source", "PLACE",
	  "copy the image's own blobs from there, such as\noci:DIR:NAME, so that it keeps its "
	  "digest" },
	{ OPTION_FORCE, 'f', "force", NULL, "replace an existing file" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "no progress" },
	OPTION_SPEC_END,
};

const struct command command_save = {
	.name = "save",
	.summary = "write an image as an archive for other tools",
	.synopsis = "[OPTION]... IMAGE",
	.description =
		"Writes an image of the store as an archive that docker, podman, containerd and\n"
		"skopeo read, and 'mkrootfs pull docker-archive:FILE'.\n"
		"\n"
		"The store keeps no blobs: the layers are made anew from what it has, with all\n"
		"their files and deletions, uncompressed; config and manifest name those. So the\n"
		"saved image has digests of its own. With --source, a place on this machine that\n"
		"has the same image (oci:, oci-archive:, docker-archive: or dir:), its manifest,\n"
		"config and blobs are copied as they are.\n"
		"\n"
		"A FILE appears complete or not at all. The same image gives the same bytes.\n",
	.examples =
		"  mkrootfs save python:3.12 | docker load\n"
		"  mkrootfs save -o python.tar python:3.12\n"
		"  mkrootfs save python:3.12 | zstd > python.tar.zst\n"
		"  mkrootfs save --format oci-archive --source oci:./layout:latest -o x.tar \\\n"
		"      oci:./layout:latest\n",
	.options = options,
	.operand = "IMAGE",
	.run = run_save,
};
