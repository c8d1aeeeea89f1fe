/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include "monotonic.h"
#include "sigpipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT 60 /* seconds */
#define POLL_STEP 200	   /* milliseconds between two looks at what may end the run */
#define EXIT_STEP 10	   /* the same while only its end is awaited */

extern char **environ;

enum { IN, OUT, ERR, STREAMS };

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

/* ---- Starting ---- */

/* Away from the standard streams, which a host program may have closed. */
static int move_up(int fd)
{
	int moved;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return moved;
}

/* ends[0] is for reading. */
static int make_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) < 0) {
		ends[0] = ends[1] = -1;
		return -1;
	}
	ends[0] = move_up(ends[0]);
	ends[1] = move_up(ends[1]);
	return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

/* Pipes for the three streams; theirs are the program's ends. */
static int make_pipes(struct run *run, int theirs[STREAMS])
{
	for (int i = 0; i < STREAMS; i++)
		run->ends[i] = theirs[i] = -1;
	for (int i = 0; i < STREAMS; i++) {
		int ends[2], failed = make_pipe(ends);

		run->ends[i] = ends[i == IN];
		theirs[i] = ends[i != IN];
		if (failed || fcntl(run->ends[i], F_SETFL, O_NONBLOCK) < 0)
			return -1;
	}
	return 0;
}

/* As a shell would start it: no signal blocked or ignored. */
static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	sigdelset(&all, SIGKILL);
	sigdelset(&all, SIGSTOP);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
							    POSIX_SPAWN_SETSIGMASK) ||
	       posix_spawnattr_setsigmask(attributes, &none) ||
	       posix_spawnattr_setsigdefault(attributes, &all);
}

/* Returns an errno. */
static int spawn(struct run *run, const char *const *words, const int theirs[STREAMS])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int result;

	if (posix_spawn_file_actions_init(&actions))
		return ENOMEM;
	if (posix_spawnattr_init(&attributes)) {
		posix_spawn_file_actions_destroy(&actions);
		return ENOMEM;
	}
	result = set_attributes(&attributes);
	for (int i = 0; i < STREAMS && !result; i++)
		result = posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	if (!result)
		result = posix_spawnp(&run->pid, words[0], &actions, &attributes,
				      (char *const *)(uintptr_t)words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return result;
}

static int start(struct run *run, const char *const *words, struct mkrootfs_error *error)
{
	int theirs[STREAMS];
	int code = make_pipes(run, theirs) < 0 ? errno : spawn(run, words, theirs);

	for (int i = 0; i < STREAMS; i++)
		close_end(&theirs[i]);
	if (!code)
		return 0;
	for (int i = 0; i < STREAMS; i++)
		close_end(&run->ends[i]);
	return error_set_errno(error, code, "run '%.100s'", run->name);
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
	if (start(&run, words, error) < 0)
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
