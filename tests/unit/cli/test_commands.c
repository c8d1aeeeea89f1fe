/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, against a library that does nothing but note what it was asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "fake_library.h"

#define WORDS 10

struct run {
	int code;
	char *out, *err;
};

static struct run run(const char *const words[WORDS])
{
	char *copy[WORDS + 1] = { NULL };
	struct run result;
	size_t out_size, err_size;
	FILE *out = open_memstream(&result.out, &out_size);
	FILE *err = open_memstream(&result.err, &err_size);

	memcpy(copy, words, WORDS * sizeof(*words));
	result.code = command_line_run(copy, out, err);
	fclose(out);
	fclose(err);
	return result;
}

static void end_run(struct run *result)
{
	free(result->out);
	free(result->err);
}

#define RUN(...) run((const char *const[WORDS]){ __VA_ARGS__ })

static int prepare(void **state)
{
	(void)state;
	memset(&library, 0, sizeof(library));
	library.disk = "/s/i/disk.vmdk";
	unsetenv("SOURCE_DATE_EPOCH");
	setenv("MKROOTFS_STORE", "/dev", 1); /* a folder that is there */
	return 0;
}

/* The folder that 'mkrootfs upper f' writes to. */
static char folder[] = "/tmp/test-commands-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
	(void)state;
	unlink("f");
	return chdir("/") ? -1 : rmdir(folder);
}

#define PULL_HINT " (see 'mkrootfs pull --help')\n"
#define UPPER_HINT " (see 'mkrootfs upper --help')\n"

static const struct {
	const char *words[WORDS];
	const char *err;
} refused[] = {
	{ { "x" }, "mkrootfs: unknown command 'x' (see 'mkrootfs --help')\n" },
	{ { "--x" }, "mkrootfs: unknown option '--x' (see 'mkrootfs --help')\n" },
	{ { "" }, "mkrootfs: unknown command '' (see 'mkrootfs --help')\n" },
	{ { "a\nb" }, "mkrootfs: unknown command 'a\\x0ab' (see 'mkrootfs --help')\n" },
	{ { "help", "x" }, "mkrootfs: unknown command 'x' (see 'mkrootfs --help')\n" },
	{ { "pull", "--x", "a" }, "mkrootfs pull: unknown option '--x'" PULL_HINT },
	{ { "pull", "a", "--x" }, "mkrootfs pull: unknown option '--x'" PULL_HINT },
	{ { "pull", "a", "-f" }, "mkrootfs pull: unknown option '-f' in '-f'" PULL_HINT },
	{ { "pull", "a", "--size", "4G" }, "mkrootfs pull: unknown option '--size'" PULL_HINT },
	{ { "pull", "a", "--tls-verify", "no" },
	  "mkrootfs pull: --tls-verify 'no': true or false" PULL_HINT },
	{ { "pull", "a", "--retry-times", "-1" },
	  "mkrootfs pull: --retry-times '-1' is not a whole number; 0 to 1000" PULL_HINT },
	{ { "pull", "a", "--idle-timeout", "0" },
	  "mkrootfs pull: --idle-timeout '0' is too small; 1 to 86400 seconds" PULL_HINT },
	{ { "pull", "a", "--connect-timeout=86401" },
	  "mkrootfs pull: --connect-timeout '86401' is too large; 1 to 86400 seconds" PULL_HINT },
	{ { "pull" }, "mkrootfs pull: REFERENCE is missing" PULL_HINT },
	{ { "pull", "--store", "a" }, "mkrootfs pull: REFERENCE is missing" PULL_HINT },
	{ { "pull", "a", "b" }, "mkrootfs pull: unexpected argument 'b'" PULL_HINT },
	{ { "save" }, "mkrootfs save: IMAGE is missing (see 'mkrootfs save --help')\n" },
	{ { "save", "a", "--format=tar" },
	  "mkrootfs save: '--format tar' is unknown: it can be docker-archive or oci-archive (see "
	  "'mkrootfs save --help')\n" },
	{ { "build", "-o", "x" },
	  "mkrootfs build: IMAGE is missing (see 'mkrootfs build --help')\n" },
	{ { "build", "a" },
	  "mkrootfs build: the file to write is missing: give -o FILE (see 'mkrootfs build "
	  "--help')\n" },
	{ { "build", "a", "-o", "-" },
	  "mkrootfs build: a disk image has holes, which standard output cannot have: give -o "
	  "FILE (see 'mkrootfs build --help')\n" },
	{ { "build", "a", "-o", "x", "--format=qcow2" },
	  "mkrootfs build: '--format qcow2' is unknown: it can be ext4 (see 'mkrootfs build "
	  "--help')\n" },
	{ { "export" }, "mkrootfs export: IMAGE is missing (see 'mkrootfs export --help')\n" },
	{ { "export", "a", "--format=zip" },
	  "mkrootfs export: '--format zip' is unknown: it can be tar (see 'mkrootfs export "
	  "--help')\n" },
	{ { "images", "a" },
	  "mkrootfs images: unexpected argument 'a' (see 'mkrootfs images --help')\n" },
	{ { "upper", "f", "--size", "4Q" },
	  "mkrootfs upper: '--size 4Q' is not a size such as 4G, 1.5GiB, 512M or "
	  "1048576" UPPER_HINT },
	{ { "upper", "f", "--size=0" },
	  "mkrootfs upper: '--size 0' is below the smallest size, 8 MiB" UPPER_HINT },
	{ { "resize", "f" }, "mkrootfs resize: SIZE is missing (see 'mkrootfs resize --help')\n" },
	{ { "resize" }, "mkrootfs resize: FILE is missing (see 'mkrootfs resize --help')\n" },
	{ { "resize", "f", "1X" },
	  "mkrootfs resize: '1X' is not a size such as 4G, 1.5GiB, 512M or 1048576 (see 'mkrootfs "
	  "resize --help')\n" },
	{ { "clone", "a", "b", "c" },
	  "mkrootfs clone: unexpected argument 'c' (see 'mkrootfs clone --help')\n" },
	{ { "upper", "f", "--max-size", "0" },
	  "mkrootfs upper: '--max-size 0' is too small" UPPER_HINT },
	{ { "upper", "f", "--journal-size", "x" },
	  "mkrootfs upper: '--journal-size x' is not a size such as 4G, 1.5GiB, 512M or "
	  "1048576" UPPER_HINT },
	{ { "upper", "f", "--reserved-blocks", "51" },
	  "mkrootfs upper: '--reserved-blocks 51' is too large" UPPER_HINT },
	{ { "upper", "f", "--reserved-blocks=1,5" },
	  "mkrootfs upper: '--reserved-blocks 1,5' is not a percentage such as 5 or "
	  "0.5" UPPER_HINT },
	{ { "upper", "f", "-s8388607" },
	  "mkrootfs upper: '--size 8388607' is below the smallest size, 8 MiB" UPPER_HINT },
};

static void a_wrong_line_does_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct run result = run(refused[i].words);

		assert_int_equal(result.code, 2);
		assert_string_equal(result.err, refused[i].err);
		assert_string_equal(result.out, "");
		assert_int_equal(library.calls, 0);
		end_run(&result);
	}
}

static void explains_itself(void **state)
{
	struct run bare = RUN(NULL), help = RUN("--help"), long_help = RUN("help");

	(void)state;
	assert_int_equal(bare.code, 2);
	assert_string_equal(bare.out, "");
	assert_int_equal(help.code, 0);
	assert_string_equal(help.out, bare.err);
	assert_string_equal(long_help.out, bare.err);
	assert_string_equal(help.err, "");
	end_run(&bare);
	end_run(&help);
	end_run(&long_help);

	help = RUN("pull", "--help", "a");
	long_help = RUN("help", "pull");
	assert_int_equal(help.code, 0);
	assert_string_equal(help.out, long_help.out);
	assert_int_equal(library.calls, 0);
	end_run(&help);
	end_run(&long_help);
}

static void prints_its_version(void **state)
{
	struct run result = RUN("--version"), command = RUN("version");

	(void)state;
	assert_string_equal(result.out, "mkrootfs 1.2.3\n");
	assert_string_equal(command.out, "mkrootfs 1.2.3\n");
	end_run(&result);
	end_run(&command);
}

static const struct {
	int status, code;
} exits[] = {
	{ MKROOTFS_ERROR_INVALID, 2 },
	{ MKROOTFS_ERROR_IO, 1 },
	{ MKROOTFS_ERROR_NO_SPACE, 7 },
	{ MKROOTFS_ERROR_MALFORMED, 6 },
	{ MKROOTFS_ERROR_DIGEST, 6 },
	{ MKROOTFS_ERROR_NOT_FOUND, 3 },
	{ MKROOTFS_ERROR_NETWORK, 4 },
	{ MKROOTFS_ERROR_DENIED, 5 },
	{ MKROOTFS_ERROR_LIMIT, 6 },
	{ MKROOTFS_ERROR_UNSUPPORTED, 8 },
	{ MKROOTFS_ERROR_CANCELLED, 130 },
	{ MKROOTFS_ERROR_NO_MEMORY, 1 },
	{ MKROOTFS_ERROR_PLATFORM, 9 },
	{ MKROOTFS_ERROR_TLS, 10 },
	{ MKROOTFS_ERROR_NAME, 11 },
	{ MKROOTFS_ERROR_RATE_LIMIT, 12 },
	{ -99, 1 },
};

static void each_failure_has_its_code_and_one_line(void **state)
{
	static const char *const lines[][WORDS] = { { "pull", "-q", "a" }, { "images" },
						    { "inspect", "a" },	   { "upper", "a" },
						    { "verify" },	   { "verify", "a" } };

	(void)state;
	library.message = "no\nsuch";
	for (size_t i = 0; i < sizeof(exits) / sizeof(exits[0]); i++) {
		for (size_t j = 0; j < sizeof(lines) / sizeof(lines[0]); j++) {
			struct run result;

			library.status = exits[i].status;
			result = run(lines[j]);
			assert_int_equal(result.code, exits[i].code);
			assert_string_equal(result.err, "mkrootfs: no\\x0asuch\n");
			assert_string_equal(result.out, "");
			end_run(&result);
		}
	}
}

static void an_advice_is_a_second_line(void **state)
{
	struct run result;

	(void)state;
	library.status = MKROOTFS_ERROR_DENIED;
	library.message = "denied";
	library.advice = "log\nin";
	result = RUN("pull", "-q", "a");
	assert_int_equal(result.code, 5);
	assert_string_equal(result.err, "mkrootfs: denied\nmkrootfs: hint: log\\x0ain\n");
	end_run(&result);
}

static void pull_hands_its_options_on(void **state)
{
	struct run result = RUN("pull", "--store=s", "--platform", "linux/arm64", "a:1");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_string_equal(library.store, "s");
	assert_string_equal(library.name, "a:1");
	assert_string_equal(library.pull.platform, "linux/arm64");
	assert_false(library.pull.registry.plain_http);
	end_run(&result);

	result = RUN("pull", "a", "--plain-http");
	assert_true(library.pull.registry.plain_http);
	assert_null(library.pull.platform);
	assert_string_equal(library.store, "/dev");
	end_run(&result);
}

static void pull_hands_limits_on(void **state)
{
	struct run result =
		RUN("pull", "a", "--max-entries=1", "--max-unpacked", "2K", "--max-ratio=3",
		    "--max-depth", "65535", "--max-xattrs=1M", "--max-layers=6");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_int_equal(library.pull.limits.entries, 1);
	assert_int_equal(library.pull.limits.unpacked_size, 2048);
	assert_int_equal(library.pull.limits.ratio, 3);
	assert_int_equal(library.pull.limits.path_depth, 65535);
	assert_int_equal(library.pull.limits.xattr_bytes, 1 << 20);
	assert_int_equal(library.pull.limits.layers, 6);
	end_run(&result);

	result = RUN("pull", "a");
	assert_int_equal(library.pull.limits.entries, 0);
	assert_int_equal(library.pull.limits.ratio, 0);
	end_run(&result);

	result = RUN("pull", "a", "--max-depth", "65536");
	assert_int_equal(result.code, 2);
	assert_string_equal(result.err, "mkrootfs pull: '--max-depth 65536' is not between 1 and "
					"65535" PULL_HINT);
	end_run(&result);
}

static void a_limit_is_named_by_its_option(void **state)
{
	static const struct {
		int status;
		const char *message, *shown;
	} cases[] = {
		{ MKROOTFS_ERROR_LIMIT, "more than 5 entries (limits.entries)",
		  "more than 5 entries (raised by --max-entries)" },
		{ MKROOTFS_ERROR_LIMIT, "layer (limits.ratio): 5 bytes",
		  "layer (raised by --max-ratio): 5 bytes" },
		{ MKROOTFS_ERROR_LIMIT, "'(limits.ratio)': many (limits.layers)",
		  "'(limits.ratio)': many (raised by --max-layers)" },
		{ MKROOTFS_ERROR_LIMIT, "(limits.other)", "(limits.other)" },
		{ MKROOTFS_ERROR_LIMIT, "(limits.", "(limits." },
		{ MKROOTFS_ERROR_MALFORMED, "(limits.ratio)", "(limits.ratio)" },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run result;

		library.status = cases[i].status;
		library.message = cases[i].message;
		result = RUN("pull", "-q", "a");
		snprintf(line, sizeof(line), "mkrootfs: %s\n", cases[i].shown);
		assert_string_equal(result.err, line);
		end_run(&result);
	}
}

static void pull_hands_on_how_registries_are_reached(void **state)
{
	struct run result = RUN("pull", "a", "--ca-cert", "c", "--cert-dir=d", "--tls-verify=false",
				"--retry-times", "7", "--connect-timeout=5", "--idle-timeout=6");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_string_equal(library.pull.registry.ca_cert, "c");
	assert_string_equal(library.pull.registry.cert_dir, "d");
	assert_int_equal(library.pull.registry.insecure_tls, 1);
	assert_int_equal(library.pull.registry.retries, 7);
	assert_int_equal(library.pull.registry.connect_timeout, 5);
	assert_int_equal(library.pull.registry.idle_timeout, 6);
	end_run(&result);

	/* No attempts but the first; to check is the default. */
	result = RUN("pull", "a", "--retry-times", "0", "--tls-verify", "true");
	assert_int_equal(library.pull.registry.retries, -1);
	assert_int_equal(library.pull.registry.insecure_tls, 0);
	end_run(&result);
	result = RUN("pull", "a");
	assert_int_equal(library.pull.registry.retries, 0);
	assert_int_equal(library.pull.registry.insecure_tls, 0);
	assert_null(library.pull.registry.ca_cert);
	end_run(&result);
}

static void pull_prints_what_it_made(void **state)
{
	struct run result = RUN("pull", "a");

	(void)state;
	assert_non_null(strstr(result.out, "Disk:        /s/i/disk.vmdk\n"));
	assert_non_null(strstr(result.out, "Metadata:    /s/i/fsmeta.erofs\n"));
	assert_non_null(strstr(result.out, "  fedcba987654     4.0 KiB  /s/i/0.erofs\n"));
	assert_non_null(strstr(result.out,
			       "-drive if=virtio,format=vmdk,readonly=on,file=/s/i/disk.vmdk "));
	assert_non_null(strstr(result.err, "resolved a: " DIGEST ", 0 layers\n"));
	end_run(&result);

	result = RUN("pull", "a", "-q");
	assert_string_equal(result.out, "/s/i/disk.vmdk\n");
	assert_string_equal(result.err, "");
	end_run(&result);

	result = RUN("pull", "a", "--json", "-q");
	assert_string_equal(result.out, "{\"disk\":1}\n");
	assert_string_equal(result.err, "");
	end_run(&result);
}

/* The recipe can be pasted whatever the path. */
static void quotes_the_recipe(void **state)
{
	struct run result;

	(void)state;
	library.disk = "/a b,c/it's.vmdk";
	result = RUN("pull", "a");
	assert_non_null(strstr(result.out, "-drive 'if=virtio,format=vmdk,readonly=on,"
					   "file=/a b,,c/it'\\''s.vmdk' \\\n"));
	end_run(&result);
}

static void lists_images(void **state)
{
	struct run result;

	(void)state;
	library.images = 1;
	result = RUN("images", "--store", "s");
	assert_string_equal(library.store, "s");
	assert_string_equal(result.out,
			    "REFERENCE        DIGEST        PLATFORM     LAYERS        SIZE\n"
			    "example.com/a:1  0123456789ab  linux/amd64       1     5.0 MiB\n");
	end_run(&result);

	library.images = 2;
	result = RUN("images", "--json");
	assert_string_equal(result.out, "[\n{\"disk\":1},\n{\"disk\":1}\n]\n");
	end_run(&result);

	result = RUN("images", "-q");
	assert_string_equal(result.out, DIGEST "\n" DIGEST "\n");
	end_run(&result);
}

static void lists_damaged_images_with_a_warning(void **state)
{
	struct run result;

	(void)state;
	library.images = 1;
	library.problem = "image folder 'x': damaged";
	result = RUN("images");
	assert_int_equal(result.code, 0);
	assert_non_null(strstr(result.out, "0123456789ab"));
	assert_string_equal(result.err, "mkrootfs: warning: image folder 'x': damaged\n");
	end_run(&result);
}

static void lists_an_empty_store(void **state)
{
	struct run result = RUN("images");

	(void)state;
	assert_string_equal(result.out, "REFERENCE  DIGEST        PLATFORM  LAYERS        SIZE\n");
	end_run(&result);
	result = RUN("images", "--json");
	assert_string_equal(result.out, "[]\n");
	end_run(&result);
}

static void inspects_an_image(void **state)
{
	struct run result = RUN("inspect", "0123456");

	(void)state;
	assert_string_equal(library.name, "0123456");
	assert_string_equal(result.out, "Reference:   example.com/a:1\n"
					"Digest:      " DIGEST "\n"
					"Platform:    linux/amd64\n"
					"Entrypoint:  [\"/bin/sh\", \"-c\"]\n"
					"Cmd:         [\"echo \\\"hi\\\" there\"]\n"
					"User:        -\n"
					"Workdir:     /srv\n"
					"Stop signal: SIGQUIT\n"
					"Env:         A=b\n"
					"             EVIL=\\x1b[2J\\x0a\n"
					"Directory:   /s/i\n"
					"Disk:        /s/i/disk.vmdk\n"
					"Disk size:   5.0 MiB\n"
					"Metadata:    /s/i/fsmeta.erofs\n"
					"Layers:      1, lowest first\n"
					"  fedcba987654     4.0 KiB  /s/i/0.erofs\n");
	end_run(&result);

	result = RUN("inspect", "a", "--json");
	assert_string_equal(result.out, "{\"disk\":1}\n");
	end_run(&result);
}

#define REMOVE_HINT                                                                           \
	"mkrootfs: hint: 'mkrootfs verify --remove-damaged' removes what is damaged, then a " \
	"pull makes it again\n"

static void verifies_a_store(void **state)
{
	struct run result = RUN("verify");

	(void)state;
	assert_string_equal(library.store, "/dev");
	assert_string_equal(library.name, "(none)");
	assert_false(library.verify.remove_damaged);
	assert_int_equal(result.code, 0);
	assert_string_equal(result.out, "example.com/a:1: ok\n");
	end_run(&result);
	result = RUN("verify", "-q", "a", "b");
	assert_int_equal(library.calls, 3);
	assert_string_equal(library.name, "b");
	assert_string_equal(result.out, "");
	end_run(&result);

	library.problem = "its data are damaged";
	result = RUN("verify");
	assert_int_equal(result.code, 6);
	assert_string_equal(result.out, "example.com/a:1: 1 problem\n");
	assert_string_equal(result.err, "mkrootfs: example.com/a:1: /bin/x\": its data are damaged "
					"(/s/i/0.erofs)\n" REMOVE_HINT);
	end_run(&result);
	result = RUN("verify", "--json", "--remove-damaged");
	assert_int_equal(result.code, 6);
	assert_true(library.verify.remove_damaged);
	assert_string_equal(result.out,
			    "[\n  {\n    \"name\": \"example.com/a:1\",\n    \"ok\": false,\n"
			    "    \"problems\": [\n      { \"file\": \"/s/i/0.erofs\", \"path\": "
			    "\"/bin/x\\\"\", \"text\": \"its data are damaged\" }\n    ]\n  },\n"
			    "  { \"removed\": \"/s/i\" }\n]\n");
	end_run(&result);
}

static void verifies_a_file(void **state)
{
	struct run result;

	(void)state;
	fake_tree = (struct fake_tree){ .opens = "./x" };
	result = RUN("verify", "./x");
	assert_int_equal(result.code, 0);
	assert_int_equal(fake_tree.open, 0);
	assert_string_equal(result.out, "./x: ok, as far as its structure shows: it holds no "
					"hashes of its data\n");
	end_run(&result);
	result = RUN("verify", "./x", "/y");
	assert_int_equal(result.code, 3);
	assert_string_equal(result.err, "mkrootfs: /y\n");
	end_run(&result);
}

static const struct {
	const char *store, *data_home, *home;
	const char *folder; /* NULL: none is found */
} places[] = {
	{ "/s", "/d", "/h", "/s" },
	{ "rel", "/d", "/h", "rel" },
	{ NULL, "/d", "/h", "/d/mkrootfs" },
	{ "", "/d", NULL, "/d/mkrootfs" },
	{ NULL, "rel", "/h", "/h/.local/share/mkrootfs" },
	{ NULL, "", "/h", "/h/.local/share/mkrootfs" },
	{ NULL, NULL, "/h", "/h/.local/share/mkrootfs" },
	{ NULL, NULL, "rel", NULL },
	{ NULL, NULL, NULL, NULL },
};

static void set(const char *variable, const char *value)
{
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

static void finds_the_store(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct run result;

		set("MKROOTFS_STORE", places[i].store);
		set("XDG_DATA_HOME", places[i].data_home);
		set("HOME", places[i].home);
		result = RUN("images");
		assert_int_equal(result.code, places[i].folder ? 0 : 2);
		if (places[i].folder)
			assert_string_equal(library.store, places[i].folder);
		else
			assert_non_null(strstr(result.err, "no folder for the store"));
		end_run(&result);
	}
}

static void refuses_a_store_that_is_too_long(void **state)
{
	char home[5000] = "/";
	struct run result;

	(void)state;
	memset(home + 1, 'x', sizeof(home) - 2);
	set("MKROOTFS_STORE", home);
	result = RUN("images");
	assert_int_equal(result.code, 2);
	assert_non_null(strstr(result.err, "too long"));
	end_run(&result);
}

static void upper_hands_its_options_on(void **state)
{
	struct run result = RUN("upper", "-fs", "1.5G", "--label=l", "--uuid", "u", "f", "-q");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_int_equal(library.upper.size, 1536 << 20);
	assert_string_equal(library.upper.label, "l");
	assert_string_equal(library.upper.uuid, "u");
	assert_true(library.upper.replace);
	assert_int_equal(library.upper.source_date, 0);
	end_run(&result);

	result = RUN("upper", "f", "-q", "--max-size", "200G", "--inode-ratio=32K",
		     "--journal-size", "8MiB", "--reserved-blocks", "2.5%");
	assert_int_equal(result.code, 0);
	assert_int_equal(library.upper.max_size, UINT64_C(200) << 30);
	assert_int_equal(library.upper.inode_ratio, 32 << 10);
	assert_int_equal(library.upper.journal_size, 8 << 20);
	assert_int_equal(library.upper.reserved_ppm, 25000);
	end_run(&result);

	result = RUN("upper", "f", "-q");
	assert_int_equal(library.upper.size, 0);
	assert_int_equal(library.upper.max_size, 0);
	assert_int_equal(library.upper.reserved_ppm, 0);
	assert_null(library.upper.label);
	assert_null(library.upper.uuid);
	assert_false(library.upper.replace);
	end_run(&result);
}

static const struct {
	const char *text;
	int64_t seconds; /* -1: refused */
} dates[] = {
	{ "0", 0 },    { "1700000000", 1700000000 },
	{ "007", 7 },  { "9223372036854775807", INT64_MAX },
	{ "", -1 },    { "9223372036854775808", -1 },
	{ "-1", -1 },  { "99999999999999999999999", -1 },
	{ "+1", -1 },  { " 1", -1 },
	{ "1 ", -1 },  { "1.5", -1 },
	{ "0x1", -1 }, { "1e3", -1 },
	{ "1\n", -1 },
};

static void exports_to_standard_output(void **state)
{
	struct run named = RUN("export", "a:1"), path;

	(void)state;
	assert_int_equal(named.code, 0);
	assert_string_equal(named.out, "a tar");
	assert_string_equal(named.err, "mkrootfs: warning: careful\n");
	assert_string_equal(library.store, "/dev");
	assert_string_equal(library.name, "a:1");
	unsetenv("MKROOTFS_STORE");
	unsetenv("HOME");
	fake_tree.opens = "./f";
	path = RUN("export", "-o", "-", "--format=tar", "./f");
	assert_int_equal(path.code, 0);
	assert_string_equal(path.out, "a tar");
	end_run(&named);
	end_run(&path);
}

static void saves_to_standard_output(void **state)
{
	struct run result = RUN("save", "a:1", "--name", "b:2", "--source=oci:x");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_string_equal(result.out, "an archive");
	assert_string_equal(result.err, "mkrootfs: warning: careful\n");
	assert_string_equal(library.name, "a:1");
	assert_int_equal(library.save.format, MKROOTFS_SAVE_DOCKER_ARCHIVE);
	assert_string_equal(library.save.name, "b:2");
	assert_string_equal(library.save.source, "oci:x");
	end_run(&result);
}

static void saves_to_a_file(void **state)
{
	struct run result = RUN("save", "a:1", "-fo", "x.tar", "--format", "oci-archive");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_string_equal(result.out, "");
	assert_string_equal(result.err, "");
	assert_string_equal(library.name, "x.tar");
	assert_int_equal(library.save.format, MKROOTFS_SAVE_OCI_ARCHIVE);
	assert_true(library.save.replace);
	assert_null(library.save.name);
	assert_null(library.save.source);
	end_run(&result);
}

static void exports_to_a_file(void **state)
{
	struct run result = RUN("export", "a:1", "-fo", "x.tar");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_string_equal(result.out, "");
	assert_string_equal(result.err, "");
	assert_string_equal(library.name, "x.tar");
	assert_int_equal(library.replace, 1);
	end_run(&result);
}

static void builds_a_file(void **state)
{
	struct run result = RUN("build", "a:1", "-fo", "/dev/null", "--size=1G", "--label=root",
				"--inode-ratio", "8K", "-q");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_string_equal(result.out, "/dev/null\n");
	assert_string_equal(result.err, "");
	assert_string_equal(library.name, "/dev/null");
	assert_int_equal(library.build.size, 1 << 30);
	assert_int_equal(library.build.inode_ratio, 8192);
	assert_int_equal(library.build.replace, 1);
	assert_int_equal(library.build.journal_size, 0);
	end_run(&result);
}

static void reads_the_source_date(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		struct run result;

		library.calls = 0;
		setenv("SOURCE_DATE_EPOCH", dates[i].text, 1);
		result = RUN("upper", "f", "-q");
		assert_int_equal(result.code, dates[i].seconds < 0 ? 2 : 0);
		assert_int_equal(library.calls, dates[i].seconds < 0 ? 0 : 1);
		if (dates[i].seconds >= 0)
			assert_int_equal(library.upper.source_date, dates[i].seconds);
		else
			assert_non_null(strstr(result.err, "SOURCE_DATE_EPOCH"));
		end_run(&result);
	}
}

static void resize_and_clone_take_two_operands(void **state)
{
	struct run result = RUN("resize", "f", "2G");

	(void)state;
	assert_int_equal(result.code, 0);
	assert_int_equal(library.size, UINT64_C(2) << 30);
	assert_string_equal(library.name, "f");
	assert_string_equal(result.out, "The filesystem grew from 1.0 GiB to 2.0 GiB.\n");
	end_run(&result);

	result = RUN("resize", "--json", "f", "1G");
	assert_string_equal(result.out,
			    "{\"path\": \"f\", \"before\": 1073741824, \"after\": 1073741824}\n");
	end_run(&result);

	result = RUN("clone", "-f", "a", "b");
	assert_int_equal(result.code, 0);
	assert_true(library.replace);
	assert_string_equal(library.store, "a");
	assert_string_equal(library.name, "b");
	end_run(&result);
}

static void upper_prints_the_whole_path(void **state)
{
	char *here = getcwd(NULL, 0), expected[4200];
	struct run result;

	(void)state;
	result = RUN("upper", "f", "-q");
	snprintf(expected, sizeof(expected), "%s/f\n", here);
	assert_string_equal(result.out, expected);
	end_run(&result);

	result = RUN("upper", "./f", "--json");
	snprintf(expected, sizeof(expected),
		 "{\"path\": \"%s/f\", \"size\": 0, \"allocated\": 0}\n", here);
	assert_string_equal(result.out, expected);
	end_run(&result);
	free(here);
}

/* The last test: what a signal leaves behind cannot be taken back. */
static void a_signal_stops_a_pull(void **state)
{
	struct run result;

	(void)state;
	library.message = "cancelled";
	library.signal = SIGTERM;
	result = RUN("pull", "-q", "a");
	assert_int_equal(result.code, 128 + SIGTERM);
	assert_string_equal(result.err, "mkrootfs: cancelled\n");
	assert_string_equal(result.out, "");
	end_run(&result);
}

#define TEST(function) cmocka_unit_test_setup(function, prepare)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_wrong_line_does_nothing),
		TEST(explains_itself),
		TEST(prints_its_version),
		TEST(each_failure_has_its_code_and_one_line),
		TEST(an_advice_is_a_second_line),
		TEST(pull_hands_its_options_on),
		TEST(pull_hands_limits_on),
		TEST(a_limit_is_named_by_its_option),
		TEST(pull_hands_on_how_registries_are_reached),
		TEST(pull_prints_what_it_made),
		TEST(quotes_the_recipe),
		TEST(lists_images),
		TEST(lists_damaged_images_with_a_warning),
		TEST(lists_an_empty_store),
		TEST(inspects_an_image),
		TEST(verifies_a_store),
		TEST(verifies_a_file),
		TEST(finds_the_store),
		TEST(refuses_a_store_that_is_too_long),
		TEST(upper_hands_its_options_on),
		TEST(exports_to_standard_output),
		TEST(exports_to_a_file),
		TEST(builds_a_file),
		TEST(saves_to_standard_output),
		TEST(saves_to_a_file),
		TEST(reads_the_source_date),
		TEST(resize_and_clone_take_two_operands),
		TEST(upper_prints_the_whole_path),
		TEST(a_signal_stops_a_pull),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
