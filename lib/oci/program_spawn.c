/* SPDX-License-Identifier: Apache-2.0 */
#include "program_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <unistd.h>

extern char **environ;

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

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
static int make_pipes(int ours[PROGRAM_STREAMS], int theirs[PROGRAM_STREAMS])
{
	for (int i = 0; i < PROGRAM_STREAMS; i++)
		ours[i] = theirs[i] = -1;
	for (int i = 0; i < PROGRAM_STREAMS; i++) {
		int ends[2], failed = make_pipe(ends);

		ours[i] = ends[i == PROGRAM_IN];
		theirs[i] = ends[i != PROGRAM_IN];
		if (failed || fcntl(ours[i], F_SETFL, O_NONBLOCK) < 0)
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
static int spawn(pid_t *pid, const char *const *words, const int theirs[PROGRAM_STREAMS])
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
	for (int i = 0; i < PROGRAM_STREAMS && !result; i++)
		result = posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	if (!result)
		result = posix_spawnp(pid, words[0], &actions, &attributes,
				      (char *const *)(uintptr_t)words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return result;
}

int program_spawn(pid_t *pid, int ends[PROGRAM_STREAMS], const char *const *words,
		  struct mkrootfs_error *error)
{
	int theirs[PROGRAM_STREAMS];
	int code = make_pipes(ends, theirs) < 0 ? errno : spawn(pid, words, theirs);

	for (int i = 0; i < PROGRAM_STREAMS; i++)
		close_end(&theirs[i]);
	if (!code)
		return 0;
	for (int i = 0; i < PROGRAM_STREAMS; i++)
		close_end(&ends[i]);
	return error_set_errno(error, code, "run '%.100s'", words[0]);
}
