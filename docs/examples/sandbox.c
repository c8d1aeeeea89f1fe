/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sandbox runtime does before it starts a virtual machine: brings the image into its store,
 * makes the writable disk of this sandbox, and prints the arguments of the machine, as QEMU takes
 * them or as JSON.
 *
 *	sandbox [--json] REFERENCE STORE DIRECTORY
 *
 * DIRECTORY is the sandbox's own, and must exist. Exits with 0, 1 for a failure, 2 for a wrong
 * command line.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mkrootfs.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

/* ---- Pull ---- */

/* Runs on our thread, within mkrootfs_pull. Returning non-zero cancels the pull. */
static int on_event(void *user, const struct mkrootfs_event *event)
{
	FILE *log = user;

	switch (event->kind) {
	case MKROOTFS_EVENT_RESOLVED:
		fprintf(log, "%u layers\n", event->layer_count);
		break;
	case MKROOTFS_EVENT_LAYER_REUSED:
		fprintf(log, "layer %u: in the store\n", event->layer_index + 1);
		break;
	case MKROOTFS_EVENT_LAYER_DONE:
		fprintf(log, "layer %u: done\n", event->layer_index + 1);
		break;
	case MKROOTFS_EVENT_WARNING:
		fprintf(log, "warning: %s\n", event->text);
		break;
	default: /* later versions may send more kinds */
		break;
	}
	return interrupted;
}

static int pull(struct mkrootfs_image **image, const char *reference, const char *store,
		struct mkrootfs_error *error)
{
	struct mkrootfs_pull_options options = {
		.reference = reference,
		.store = store,
		/* What this runtime is willing to unpack; other limits stay at their defaults. */
		.limits = { .unpacked_size = UINT64_C(64) << 30 },
		.events = on_event,
		.events_user = stderr,
	};

	return mkrootfs_pull(image, &options, error);
}

/* ---- QEMU's arguments ---- */

/* QEMU reads a comma as the end of a value, two as one comma. */
static void print_qemu_path(const char *path)
{
	for (; *path; path++) {
		if (*path == ',')
			putchar(',');
		putchar(*path);
	}
}

static void print_qemu_drive(const char *options, const char *path)
{
	printf("-drive\nif=virtio,%s,file=", options);
	print_qemu_path(path);
	putchar('\n');
}

/* One argument a line: mapfile -t arguments < <(sandbox ...). The first drive is /dev/vda. */
static void print_qemu(const struct mkrootfs_image *image, const char *upper)
{
	print_qemu_drive("format=vmdk,readonly=on", mkrootfs_image_disk(image));
	print_qemu_drive("format=raw", upper);
}

/* ---- JSON ---- */

static void print_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			printf("\\u%04x", (unsigned)*text);
		else
			putchar(*text);
	}
	putchar('"');
}

/* Strings of an array, without its brackets. */
static void print_strings(const struct mkrootfs_string_list *list, bool first)
{
	for (size_t i = 0; i < list->count; i++) {
		fputs(i || !first ? ", " : "", stdout);
		print_string(list->items[i]);
	}
}

/* The process that the guest's init starts: the entry point, with the image's arguments behind. */
static void print_process(const struct mkrootfs_image_config *config)
{
	fputs("  \"process\": {\n    \"args\": [", stdout);
	print_strings(&config->entrypoint, true);
	print_strings(&config->cmd, !config->entrypoint.count);
	fputs("],\n    \"env\": [", stdout);
	print_strings(&config->env, true);
	fputs("],\n    \"cwd\": ", stdout);
	print_string(*config->working_dir ? config->working_dir : "/");
	fputs(",\n    \"user\": ", stdout);
	print_string(config->user);
	fputs("\n  }\n", stdout);
}

static void print_drive(const char *path, const char *format, bool read_only, const char *end)
{
	fputs("    {\"path\": ", stdout);
	print_string(path);
	printf(", \"format\": \"%s\", \"read_only\": %s}%s\n", format, read_only ? "true" : "false",
	       end);
}

static void print_json(const struct mkrootfs_image *image, const char *upper)
{
	fputs("{\n  \"drives\": [\n", stdout);
	print_drive(mkrootfs_image_disk(image), "vmdk", true, ",");
	print_drive(upper, "raw", false, "");
	fputs("  ],\n", stdout);
	print_process(mkrootfs_image_config(image));
	fputs("}\n", stdout);
}

/* ---- The story ---- */

struct request {
	const char *reference, *store, *directory;
	bool json;
};

/* Returns 0 or a negative status, with error set. */
static int prepare(const struct request *request, struct mkrootfs_error *error)
{
	/* The guest sees its state under a name, whatever the order of its disks. */
	struct mkrootfs_upper_options options = { .size = UINT64_C(8) << 30, .label = "sandbox" };
	struct mkrootfs_image *image;
	char upper[4096];
	int status = pull(&image, request->reference, request->store, error);

	if (status < 0)
		return status;
	snprintf(upper, sizeof(upper), "%s/upper.ext4", request->directory);
	status = mkrootfs_upper(upper, &options, error);
	if (!status && request->json)
		print_json(image, upper);
	else if (!status)
		print_qemu(image, upper);
	mkrootfs_image_free(image);
	return status;
}

static bool read_arguments(struct request *request, int argc, char **argv)
{
	request->json = argc > 1 && !strcmp(argv[1], "--json");
	argv += 1 + request->json;
	if (argc != 4 + request->json || strlen(argv[2]) > 4000)
		return false;
	request->reference = argv[0];
	request->store = argv[1];
	request->directory = argv[2];
	return true;
}

int main(int argc, char **argv)
{
	struct request request;
	struct mkrootfs_error error;

	if (!read_arguments(&request, argc, argv)) {
		fprintf(stderr, "usage: sandbox [--json] REFERENCE STORE DIRECTORY\n");
		return 2;
	}
	signal(SIGINT, note_interrupt);
	signal(SIGTERM, note_interrupt);
	if (prepare(&request, &error) < 0) {
		fprintf(stderr, "sandbox: %s\n", error.message);
		return 1;
	}
	return fflush(stdout) ? 1 : 0;
}
