/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "escape.h"
#include "image_view.h"

#include <string.h>

/* One variable a line, all in the column of the values. */
static void print_environment(FILE *out, const struct mkrootfs_string_list *env)
{
	if (!env->count)
		print_field(out, "Env", "");
	for (size_t i = 0; i < env->count; i++) {
		if (i == 0) {
			print_field(out, "Env", env->items[i]);
			continue;
		}
		fprintf(out, "%13s", "");
		print_escaped(out, env->items[i], strlen(env->items[i]));
		putc('\n', out);
	}
}

/* As a JSON array: words with spaces stay apart. */
static void print_words(FILE *out, const char *name, const struct mkrootfs_string_list *words)
{
	if (!words->count) {
		print_field(out, name, "");
		return;
	}
	fprintf(out, "%s:%*s[", name, 12 - (int)strlen(name), "");
	for (size_t i = 0; i < words->count; i++) {
		fputs(i ? ", " : "", out);
		print_json_string(out, words->items[i]);
	}
	fputs("]\n", out);
}

static void print_config(FILE *out, const struct mkrootfs_image_config *config)
{
	print_words(out, "Entrypoint", &config->entrypoint);
	print_words(out, "Cmd", &config->cmd);
	print_field(out, "User", config->user);
	print_field(out, "Workdir", config->working_dir);
	print_field(out, "Stop signal", config->stop_signal);
	print_environment(out, &config->env);
}

static void print_image(FILE *out, const struct mkrootfs_image *image)
{
	print_field(out, "Reference", mkrootfs_image_reference(image));
	print_field(out, "Digest", mkrootfs_image_digest(image));
	print_field(out, "Platform", mkrootfs_image_platform(image));
	print_config(out, mkrootfs_image_config(image));
	print_files(out, image);
	print_layers(out, image);
}

static int run_inspect(struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	struct mkrootfs_image *image;
	struct mkrootfs_error error;

	if (mkrootfs_image_open(&image, arguments->values[OPTION_STORE], arguments->operands[0],
				&error) < 0)
		return failure(invocation, &error);
	if (is_given(invocation, OPTION_JSON))
		fprintf(invocation->out, "%s\n", mkrootfs_image_json(image));
	else
		print_image(invocation->out, image);
	mkrootfs_image_free(image);
	return EXIT_CODE_OK;
}

static const struct option_spec options[] = {
	OPTION_SPEC_STORE,
	{ OPTION_JSON, 0, "json", NULL, "print one JSON object" },
	OPTION_SPEC_END,
};

const struct command command_inspect = {
	.name = "inspect",
	.summary = "show an image of the store and its config",
	.synopsis = "[OPTION]... IMAGE",
	.description =
		"Shows where the files of an image are, its layers, and what its config says of\n"
		"the process to run. IMAGE is the reference it was pulled under, its digest, or\n"
		"the first 6 or more hex digits of that.\n",
	.examples = "  mkrootfs inspect python:3.12\n"
		    "  mkrootfs inspect 0123456789ab\n"
		    "  mkrootfs inspect --json python:3.12 | jq -r .disk\n",
	.options = options,
	.operand = "IMAGE",
	.run = run_inspect,
};
