/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include "monotonic.h"
#include "program_spawn.h"
#include "sigpipe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT 60 /* seconds */
#define POLL_STEP 200	   /* milliseconds between two looks at what may end the run */
#define EXIT_STEP 10	   /* the same while only its end is awaited */

enum { IN = PROGRAM_IN, OUT = PROGRAM_OUT, ERR = PROGRAM_ERR, STREAMS = PROGRAM_STREAMS };

struct run {
	const char *name;
	const struct program_limits *limits;
	struct program_result *result;
	const char *input; /* what is left of it */
	pid_t pid;
	int ends[STREAMS]; /* ours; -1 once closed */
	int64_t deadline;  /* milliseconds of the monotonic clock */
	bool over;	   /* it ended, and its exit code is known */
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- Talking ---- */

static void feed(struct run *run)
{
	ssize_t sent = write(run->ends[IN], run->input, strlen(run->input));

	if (sent > 0)
		run->input += sent;
	/* A program that does not want its input may still answer. */
	if (!*run->input || (sent < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&run->ends[IN]);
}

static int hear(struct run *run, int which, struct mkrootfs_error *error)
{
	struct buf *buf = which == OUT ? &run->result->out : &run->result->err;
	struct mkrootfs_error full;
	char data[4096];
	ssize_t got = read(run->ends[which], data, sizeof(data));
	int status = 0;

	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&run->ends[which]);
	if (got > 0 && buf_append(buf, data, (size_t)got, &full) < 0 && which == OUT)
		status = error_set(error, full.status, "'%.100s' says too much: %.100s", run->name,
				   full.message);
	explicit_bzero(data, sizeof(data));
	return status;
}

static int check_limits(struct run *run, struct mkrootfs_error *error)
{
	const struct program_limits *limits = run->limits;

	if (limits->wait && limits->wait(limits->wait_user))
		return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	if (monotonic_milliseconds() >= run->deadline)
		return error_set(error, MKROOTFS_ERROR_NETWORK,
				 "'%.100s' did not end within %u seconds", run->name,
				 limits->timeout ? limits->timeout : DEFAULT_TIMEOUT);
	return 0;
}

/* Whether the program ended; options 0 waits for it. */
static bool is_over(struct run *run, int options)
{
	pid_t pid = 0;
	int how = 0;

	while (!run->over && (pid = waitpid(run->pid, &how, options)) < 0 && errno == EINTR)
		;
	if (run->over || pid == 0)
		return run->over;
	/* A host program that has all its children reaped for it leaves no exit code to us. */
	if (pid > 0)
		run->result->exit_code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
	run->over = true;
	return true;
}

/* Until both of its outputs are closed, or it ended and what it started keeps them, but silent. */
static int talk(struct run *run, struct mkrootfs_error *error)
{
	struct sigpipe_hold hold;
	int status = 0;

	sigpipe_hold(&hold);
	while (status == 0 && (run->ends[OUT] >= 0 || run->ends[ERR] >= 0)) {
		struct pollfd polls[STREAMS] = {
			{ .fd = run->ends[IN], .events = POLLOUT },
			{ .fd = run->ends[OUT], .events = POLLIN },
			{ .fd = run->ends[ERR], .events = POLLIN },
		};

		if (poll(polls, STREAMS, POLL_STEP) == 0 && is_over(run, WNOHANG))
			break;
		if (polls[IN].revents)
			feed(run);
		if (polls[OUT].revents)
			status = hear(run, OUT, error);
		if (polls[ERR].revents && status == 0)
			status = hear(run, ERR, error);
		if (status == 0)
			status = check_limits(run, error);
	}
	sigpipe_release(&hold);
	return status;
}

/* ---- Ending ---- */

static int await_end(struct run *run, struct mkrootfs_error *error)
{
	int status = 0;

	while (!is_over(run, WNOHANG)) {
		status = check_limits(run, error);
		if (status < 0)
			return status;
		poll(NULL, 0, EXIT_STEP);
	}
	return 0;
}

static void kill_all(struct run *run)
{
	if (run->over)
		return;
	kill(-run->pid, SIGKILL);
	is_over(run, 0);
}

int program_run(struct program_result *result, const char *const *words, const char *input,
		const struct program_limits *limits, struct mkrootfs_error *error)
{
	unsigned timeout = limits->timeout ? limits->timeout : DEFAULT_TIMEOUT;
	struct run run = { .name = words[0],
			   .limits = limits,
			   .result = result,
			   .input = input,
			   .deadline = monotonic_milliseconds() + (int64_t)timeout * 1000 };
	int status;

	*result = (struct program_result){ .out = BUF_INIT(PROGRAM_OUTPUT_MAX),
					   .err = BUF_INIT(PROGRAM_ERROR_MAX) };
	if (program_spawn(&run.pid, run.ends, words, error) < 0)
		return error->status;
	status = talk(&run, error);
	if (status == 0)
		status = await_end(&run, error);
	if (status < 0)
		kill_all(&run);
	for (int i = 0; i < STREAMS; i++)
		close_end(&run.ends[i]);
	return status;
}

void program_result_clear(struct program_result *result)
{
	buf_wipe(&result->out);
	buf_free(&result->err);
}
