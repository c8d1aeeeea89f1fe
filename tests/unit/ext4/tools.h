/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of ext4 images: a folder for them, a writer of one, and the tools of e2fsprogs, who
 * are the judges. A test whose tool is missing skips, and says so. All inline, since each test
 * program is built from one file.
 */
#ifndef TEST_EXT4_TOOLS_H
#define TEST_EXT4_TOOLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ext4/writer.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)

#define TOOL_FOLDERS "/usr/local/sbin:/usr/sbin:/sbin"

static char tools_folder[200];
static char tools_output[1 << 20]; /* what the last tool printed */

/* Ends the test as skipped, loudly, unless the condition holds. */
#define need(condition, why)                                 \
	do {                                                 \
		if (!(condition)) {                          \
			print_message("SKIPPED: %s\n", why); \
			skip();                              \
		}                                            \
	} while (0)

/* ---- Tools ---- */

/* Runs a tool, by PATH, without a shell. Returns its exit status; fills tools_output. */
static inline int run_arguments(const char *const *arguments)
{
	extern char **environ;
	posix_spawn_file_actions_t actions;
	int output = memfd_create("output", MFD_CLOEXEC), status = -1, failed;
	ssize_t len;
	pid_t pid;

	assert_true(output >= 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	failed =
		posix_spawnp(&pid, arguments[0], &actions, NULL, (char *const *)arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (!failed)
		assert_int_equal(waitpid(pid, &status, 0), pid);
	len = pread(output, tools_output, sizeof(tools_output) - 1, 0);
	tools_output[len < 0 ? 0 : len] = '\0';
	close(output);
	return !failed && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define run_tool(...) run_arguments((const char *const[]){ __VA_ARGS__, NULL })

/* Fails the test, showing what the tool said, unless it exits with 0. */
#define run_ok(...)                                   \
	do {                                          \
		if (run_tool(__VA_ARGS__) != 0)       \
			fail_msg("%s", tools_output); \
	} while (0)

/* Group setup: a fresh folder in TMPDIR or /tmp becomes the working directory. */
static inline int folder_setup(void **state)
{
	const char *parent = getenv("TMPDIR"), *path = getenv("PATH");
	char folders[4096];

	(void)state;
	snprintf(folders, sizeof(folders), "%s:" TOOL_FOLDERS, path ? path : "/usr/bin:/bin");
	setenv("PATH", folders, 1);
	setenv("LC_ALL", "C", 1);
	snprintf(tools_folder, sizeof(tools_folder), "%s/mkrootfs-ext4-XXXXXX",
		 parent && *parent ? parent : "/tmp");
	return mkdtemp(tools_folder) ? chdir(tools_folder) : -1;
}

/* Group teardown: removes the folder with all in it. */
static inline int folder_teardown(void **state)
{
	(void)state;
	return chdir("/") == 0 ? run_tool("rm", "-rf", tools_folder) : -1;
}

/* Whether the tool is installed. */
static inline bool have_tool(const char *tool)
{
	return run_tool("sh", "-c", "command -v \"$1\"", "sh", tool) == 0;
}

/* ---- Images ---- */

/* A fixed UUID, the label "upper", a time in 2023. */
static inline struct ext4_options test_options(uint64_t size)
{
	struct ext4_options options = { .size = size, .label = "upper", .time = 1700000000 };

	for (uint8_t i = 0; i < sizeof(options.uuid); i++)
		options.uuid[i] = (uint8_t)(0x10 + i);
	return options;
}

/* Writes an image over what is at path. Returns the status. */
static inline int try_image(const char *path, const struct ext4_options *options,
			    struct mkrootfs_error *error)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), status;
	struct image_file *file;

	assert_true(fd >= 0);
	status = image_file_borrow(&file, fd, error);
	if (status == 0) {
		status = ext4_write_upper(file, options, error);
		if (status == 0)
			status = image_file_commit(file, NULL, IMAGE_FILE_NO_SYNC, error);
		image_file_close(file);
	}
	close(fd);
	return status;
}

static inline void write_image(const char *path, const struct ext4_options *options)
{
	struct mkrootfs_error error;

	if (try_image(path, options, &error) != 0)
		fail_msg("%s", error.message);
}

/* ---- Judgements ---- */

static inline bool is_usual_line(const char *line)
{
	return *line == '\0' || !strncmp(line, "e2fsck 1.", 9) || !strncmp(line, "Pass ", 5) ||
	       (strstr(line, " files (") && strstr(line, " blocks"));
}

/* e2fsck -fn must exit with 0 and say nothing but its usual lines. */
static inline void assert_clean(const char *image)
{
	static char lines[sizeof(tools_output)];

	if (run_tool("e2fsck", "-fn", image) != 0)
		fail_msg("%s: %s", image, tools_output);
	memcpy(lines, tools_output, sizeof(lines));
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		if (!is_usual_line(line))
			fail_msg("%s: %s", image, tools_output);
}

static inline void assert_output_has(const char *text)
{
	if (!strstr(tools_output, text))
		fail_msg("no '%s' in: %s", text, tools_output);
}

#endif
