/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs tests/support/scripted_registry.py for a test program.
 *
 *	struct scripted s;
 *	if (!scripted_start(&s))
 *		skip();
 *	scripted_stop(&s);
 */
#ifndef TESTS_OCI_SCRIPTED_H
#define TESTS_OCI_SCRIPTED_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct scripted {
	pid_t pid;
	int keep; /* the server ends when this is closed */
	int port, storage_port, six_port, tls_port, mutual_port;
	char folder[224];  /* of certificates, as in docker's certs.d */
	char ca_file[256]; /* the authority in it */
};

#define SCRIPTED_PATH FIXTURES "/../tests/support/scripted_registry.py"

static inline void scripted_exec(int in, int out)
{
	dup2(in, 0);
	dup2(out, 1);
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	execlp("python3", "python3", SCRIPTED_PATH, (char *)NULL);
	_exit(127);
}

static inline void scripted_stop(struct scripted *s)
{
	close(s->keep);
	waitpid(s->pid, NULL, 0);
}

/* False when there is no python3 to run it. */
static inline bool scripted_start(struct scripted *s)
{
	int in[2], out[2];
	FILE *line;
	bool started;

	if (pipe(in) < 0 || pipe(out) < 0)
		return false;
	s->pid = fork();
	if (s->pid == 0)
		scripted_exec(in[0], out[1]);
	close(in[0]);
	close(out[1]);
	s->keep = in[1];
	line = fdopen(out[0], "r");
	started = line && fscanf(line, "%d %d %d %d %d %223s", &s->port, &s->storage_port,
				 &s->six_port, &s->tls_port, &s->mutual_port, s->folder) == 6;
	snprintf(s->ca_file, sizeof(s->ca_file), "%s/ca.crt", s->folder);
	if (line)
		fclose(line);
	if (!started)
		scripted_stop(s);
	return started;
}

/* The server's counter of that name, in which '+' stands for a space. */
static inline int scripted_count(const struct scripted *s, const char *name)
{
	char command[256];
	FILE *pipe;
	int value = -1;

	snprintf(command, sizeof(command),
		 "python3 -c 'import urllib.request as u;"
		 "print(u.urlopen(\"http://127.0.0.1:%d/count/%s\").read().decode())'",
		 s->port, name);
	pipe = popen(command, "r");
	if (!pipe || fscanf(pipe, "%d", &value) != 1)
		abort();
	pclose(pipe);
	return value;
}

#endif
