/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "command.h"
#include "credentials.h"
#include "escape.h"
#include "image_view.h"
#include "interrupt.h"
#include "limits.h"
#include "progress.h"
#include "pull_options.h"
#include "registry_options.h"
#include "registry_places.h"
#include "timings_view.h"

static uint64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int on_event(void *user, const struct mkrootfs_event *event)
{
	progress_event(user, event, milliseconds());
	return interrupt_signal() != 0;
}

static int pull(struct mkrootfs_image **image, const struct invocation *invocation,
		struct mkrootfs_pull_options *options, const struct credentials *credentials,
		struct mkrootfs_error *error)
{
	bool quiet = is_given(invocation, OPTION_QUIET);
	struct registry_places places;
	struct progress progress;
	int status;

	registry_places_fill(&options->registry, &places, &invocation->arguments);
	credentials_use(&options->registry, credentials);
	progress_open(&progress, invocation->err, terminal_of(invocation->err),
		      quiet ? PROGRESS_QUIET : PROGRESS_SHOWN, options->reference);
	options->events = on_event;
	options->events_user = &progress;
	interrupt_watch();
	status = mkrootfs_pull(image, options, error);
	progress_close(&progress, !status, milliseconds());
	return status;
}

static void print_recipe(FILE *out, const struct mkrootfs_image *image)
{
	fprintf(out, "\nAttach the disk read-only, and behind it a writable one made by\n"
		     "'mkrootfs upper upper.ext4', for example to QEMU by\n\n  ");
	print_qemu_drive(out, "format=vmdk,readonly=on", mkrootfs_image_disk(image));
	fprintf(out, " \\\n  ");
	print_qemu_drive(out, "format=raw", "upper.ext4");
	fprintf(out, "\n\nand mount them in the guest:\n\n");
	print_guest_mounts(out);
}

static void print_pulled(const struct invocation *invocation, const struct mkrootfs_image *image)
{
	FILE *out = invocation->out;

	if (is_given(invocation, OPTION_JSON)) {
		fprintf(out, "%s\n", mkrootfs_image_json(image));
	} else if (is_given(invocation, OPTION_QUIET)) {
		fprintf(out, "%s\n", mkrootfs_image_disk(image));
	} else {
		print_field(out, "Reference", mkrootfs_image_reference(image));
		print_field(out, "Digest", mkrootfs_image_digest(image));
		print_field(out, "Platform", mkrootfs_image_platform(image));
		print_files(out, image);
		print_layers(out, image);
		print_recipe(out, image);
	}
}

static int run_pull(struct invocation *invocation)
{
	struct mkrootfs_pull_options options;
	struct mkrootfs_image *image;
	struct credentials credentials;
	struct mkrootfs_error error;
	int status, code = read_pull_options(&options, invocation);

	if (!code)
		code = credentials_read(&credentials, invocation);
	if (code)
		return code;
	status = pull(&image, invocation, &options, &credentials, &error);
	credentials_forget(&credentials);
	if (status < 0) {
		limits_advise(&error);
		return failure(invocation, &error);
	}
	if (is_given(invocation, OPTION_TIMINGS))
		print_timings(invocation->err, image);
	print_pulled(invocation, image);
	mkrootfs_image_free(image);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_PLATFORM, 0, "platform", "OS/ARCH[/VARIANT]",
	  "such as linux/arm64/v8; default: linux on\nthe architecture of this machine" },
	{ OPTION_NAME, 0, "name", "REFERENCE", "keep the image under this name instead" },
	OPTION_SPECS_REGISTRY,
	OPTION_SPEC_CREDS,
	OPTION_SPECS_LOGIN,
	OPTION_SPEC_AUTHFILE,
	{ OPTION_MIRROR, 0, "mirror", "HOST[:PORT][/PATH]",
	  "ask this one first, for the same name in it;\nmay be given several times" },
	{ OPTION_REGISTRIES_CONF, 0, "registries-conf", "FILE",
	  "configuration of registries, instead of the\nfiles above; may be given several times" },
	{ OPTION_TOKEN_HOST, 0, "token-host", "HOST",
	  "ask no token servers but the registry's own\nhost and this; may be given several "
	  "times" },
	{ OPTION_PULL, 0, "pull", "POLICY",
	  "when to ask where the image comes from:\nalways, the default; missing: only when the\n"
	  "store lacks it; newer: as always, but without\nan answer the store's image will do; "
	  "never" },
	{ OPTION_JOBS, 'j', "jobs", "N", "layers in work at the same time; default 3" },
	{ OPTION_THREADS, 0, "threads", "N",
	  "threads in work at the same time; default one\nmore than processors" },
	{ OPTION_TIMINGS, 0, "timings", NULL, "tell where the time of each layer went" },
	{ OPTION_NO_PARTIAL, 0, "no-partial", NULL,
	  "do not keep what arrived of a layer for a\nlater pull" },
	{ OPTION_QUIET, 'q', "quiet", NULL, "no progress; print only the path of the disk" },
	{ OPTION_JSON, 0, "json", NULL, "print the result as one JSON object" },
	OPTION_SPECS_LIMITS,
	OPTION_SPEC_END,
};

const struct command command_pull = {
	.name = "pull",
	.summary = "bring an image into the store, as a disk",
	.synopsis = "[OPTION]... REFERENCE",
	.description =
		"Fetches an image, converts each layer that the store lacks into an EROFS image,\n"
		"merges their metadata, and writes a VMDK descriptor that joins all of them into\n"
		"one read-only disk.\n"
		"\n"
		"REFERENCE is a name as docker takes it (python:3.12, localhost:5000/name,\n"
		"ghcr.io/owner/name@sha256:...), or a place on this machine:\n"
		"  oci:DIR[:NAME]              an OCI image layout\n"
		"  oci-archive:FILE[:NAME]     the same as a tar\n"
		"  docker-archive:FILE[:NAME:TAG|:@NUMBER]\n"
		"                              what 'docker save' and 'podman save' write\n"
		"  dir:DIR                     a folder of skopeo's\n"
		"  tar:FILE                    the tar of a root filesystem, as one layer\n"
		"A FILE may be compressed by gzip or zstd; '-' is standard input.\n"
		"\n"
		"Mirrors, other locations, blocked names and aliases come from registries.conf,\n"
		"as for podman and skopeo: $CONTAINERS_REGISTRIES_CONF, else the file\n"
		"~/.config/containers/registries.conf, else /etc/containers/registries.conf, and\n"
		"the *.conf files of registries.conf.d beside them.\n"
		"\n"
		"Registries are asked as the user of --creds or --username; else as 'mkrootfs\n"
		"login', podman, skopeo or docker keep one for them.\n"
		"\n"
		"Progress goes to standard error, the result to standard output. Ctrl-C stops the\n"
		"pull; the next one goes on from there.\n",
	.examples = "  mkrootfs pull python:3.12\n"
		    "  mkrootfs pull --platform linux/arm64 ghcr.io/owner/name:v1\n"
		    "  mkrootfs pull --mirror mirror.local:5000 python:3.12\n"
		    "  mkrootfs pull oci:./layout:latest\n"
		    "  docker save python:3.12 | mkrootfs pull docker-archive:-\n"
		    "  docker export box | mkrootfs pull --name box:1 tar:-\n"
		    "  disk=$(mkrootfs pull --quiet python:3.12)\n"
		    "  mkrootfs pull --json python:3.12 | jq -r .disk\n",
	.options = options,
	.operand = "REFERENCE",
	.run = run_pull,
};
