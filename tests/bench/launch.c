/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command and tells what it took: launch REPORT TIMES COMMAND [ARGUMENT]...
 *
 * A process starts out with the memory of the one that forked it; this one is small. The numbers,
 * for all TIMES runs together, go to the file REPORT, one a line: seconds of the clock, seconds of
 * the processor for the program and for the kernel, most bytes of memory, bytes that went through
 * read and write calls, bytes of pages read from and written to disks. The exit code is the
 * command's.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct totals {
	double wall, user, system;
	int64_t memory, rchar, wchar, read_bytes, write_bytes;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* A process that ended and was not waited for still has its file in /proc, with its children's
 * share. */
static void add_io(struct totals *totals, pid_t pid)
{
	char path[64], name[32];
	int64_t value;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	file = fopen(path, "r");
	if (!file)
		return;
	while (fscanf(file, "%31[^:]: %" SCNd64 "\n", name, &value) == 2) {
		totals->rchar += !strcmp(name, "rchar") ? value : 0;
		totals->wchar += !strcmp(name, "wchar") ? value : 0;
		totals->read_bytes += !strcmp(name, "read_bytes") ? value : 0;
		totals->write_bytes += !strcmp(name, "write_bytes") ? value : 0;
	}
	fclose(file);
}

/* Returns what the command exited with; 128 and more is a signal, as for a shell. */
static int run(struct totals *totals, char **command)
{
	struct rusage usage;
	siginfo_t ended;
	double start = now();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) != 0)
		return 127;
	totals->wall += now() - start;
	add_io(totals, pid);
	if (wait4(pid, &status, 0, &usage) != pid)
		return 127;
	totals->user += seconds(&usage.ru_utime);
	totals->system += seconds(&usage.ru_stime);
	if (usage.ru_maxrss * INT64_C(1024) > totals->memory)
		totals->memory = usage.ru_maxrss * INT64_C(1024);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct totals totals = { 0 };
	int times = argc > 3 ? atoi(argv[2]) : 0, code = 0;
	FILE *report;

	if (times < 1) {
		fprintf(stderr, "usage: launch REPORT TIMES COMMAND [ARGUMENT]...\n");
		return 2;
	}
	for (int i = 0; i < times && code == 0; i++)
		code = run(&totals, argv + 3);
	report = fopen(argv[1], "w");
	if (!report)
		return 127;
	fprintf(report,
		"wall %.6f\nuser %.6f\nsystem %.6f\nmemory %" PRId64 "\nrchar %" PRId64
		"\nwchar %" PRId64 "\nread_bytes %" PRId64 "\nwrite_bytes %" PRId64 "\n",
		totals.wall, totals.user, totals.system, totals.memory, totals.rchar, totals.wchar,
		totals.read_bytes, totals.write_bytes);
	return fclose(report) == 0 ? code : 127;
}
