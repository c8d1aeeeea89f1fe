/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a guest does with its files, timed inside the guest: workload ROW FOLDER [COUNT]
 * or a program of an image, with this root: workload run ROOT PROGRAM [ARGUMENT]...
 *
 * Prints milliseconds, and how many entries were found and bytes were read. FOLDER is what is read,
 * or where is written; COUNT is how much, see `rows`. The same work every time: what is random has
 * a fixed seed. What takes longer than LIMIT seconds is ended by a signal. Built static, for an
 * initramfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 150
#define THREADS 4
#define PIECE (128 << 10)
#define BLOCK 4096

struct file {
	char *path;
	off_t size;
};

/* What a walk found; nftw has no argument for its caller. */
static struct file *files;
static size_t file_count, directory_count, entry_count;
static char **directories;
static _Atomic uint64_t bytes_read;

static void fail(const char *what)
{
	printf("FAILED %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void *grown(void *array, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0 && count > 0)
		return array;
	array = realloc(array, (count > 0 ? 2 * count : 1) * size);
	if (!array)
		fail("memory");
	return array;
}

static int note(const char *path, const struct stat *stat, int type, struct FTW *walk)
{
	(void)walk;
	entry_count++;
	if (type == FTW_D) {
		directories = grown(directories, directory_count, sizeof(*directories));
		directories[directory_count++] = strdup(path);
	} else if (type == FTW_F && S_ISREG(stat->st_mode)) {
		files = grown(files, file_count, sizeof(*files));
		files[file_count++] = (struct file){ strdup(path), stat->st_size };
	}
	return 0;
}

/* Reads all directories below and asks for the attributes of each name in them. */
static void walk(const char *folder)
{
	if (nftw(folder, note, 64, FTW_PHYS) != 0 || file_count == 0)
		fail(folder);
}

static void read_file(const char *path)
{
	char *piece = malloc(PIECE);
	int fd = open(path, O_RDONLY);
	ssize_t got = 1;

	while (piece && fd >= 0 && got > 0) {
		got = read(fd, piece, PIECE);
		bytes_read += got > 0 ? (uint64_t)got : 0;
	}
	if (fd < 0 || got < 0)
		fail(path);
	close(fd);
	free(piece);
}

static double row_scan(const char *folder, unsigned count)
{
	double start = now();

	(void)count;
	walk(folder);
	return now() - start;
}

static double row_read(const char *folder, unsigned count)
{
	double start = now();

	(void)count;
	walk(folder);
	for (size_t i = 0; i < file_count; i++)
		read_file(files[i].path);
	return now() - start;
}

static void *read_part(void *first)
{
	for (size_t i = (size_t)(uintptr_t)first; i < file_count; i += THREADS)
		read_file(files[i].path);
	return NULL;
}

/* The names are found before; the contents are read by four threads at once. */
static double row_concurrent(const char *folder, unsigned count)
{
	pthread_t threads[THREADS];
	double start;

	(void)count;
	walk(folder);
	start = now();
	for (size_t i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, read_part, (void *)(uintptr_t)i) != 0)
			fail("a thread");
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return now() - start;
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void read_at_random(uint32_t *random)
{
	const struct file *file = &files[next_random(random) % file_count];
	off_t blocks = file->size / BLOCK + 1;
	char block[BLOCK];
	int fd = open(file->path, O_RDONLY);

	if (fd < 0 || pread(fd, block, BLOCK, (off_t)(next_random(random) % blocks) * BLOCK) < 0)
		fail(file->path);
	close(fd);
}

/* COUNT blocks of 4 KiB, each somewhere in one of the files. */
static double row_random(const char *folder, unsigned count)
{
	uint32_t random = 1;
	double start;

	walk(folder);
	start = now();
	for (unsigned i = 0; i < count; i++)
		read_at_random(&random);
	return now() - start;
}

/* COUNT names that are not there, spread over the directories, as a search for modules asks. */
static double row_negative(const char *folder, unsigned count)
{
	char path[4096];
	double start;

	walk(folder);
	start = now();
	for (unsigned i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/no-module-%u.so", directories[i % directory_count],
			 i);
		if (access(path, F_OK) == 0 || errno != ENOENT)
			fail(path);
	}
	return now() - start;
}

static void name_of(char path[4096], const char *folder, const char *name, unsigned number)
{
	snprintf(path, 4096, "%s/%s-%u", folder, name, number);
}

/* COUNT files of one kilobyte. */
static double row_create(const char *folder, unsigned count)
{
	static const char data[1024] = "what a program writes";
	double start = now();
	char path[4096];

	for (unsigned i = 0; i < count; i++) {
		int fd;

		name_of(path, folder, "new", i);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
		if (fd < 0 || write(fd, data, sizeof(data)) != sizeof(data) || close(fd) != 0)
			fail(path);
	}
	return now() - start;
}

static double row_rename(const char *folder, unsigned count)
{
	double start = now();
	char from[4096], to[4096];

	for (unsigned i = 0; i < count; i++) {
		name_of(from, folder, "new", i);
		name_of(to, folder, "old", i);
		if (rename(from, to) != 0)
			fail(from);
	}
	return now() - start;
}

static double row_delete(const char *folder, unsigned count)
{
	double start = now();
	char path[4096];

	for (unsigned i = 0; i < count; i++) {
		name_of(path, folder, "old", i);
		if (unlink(path) != 0)
			fail(path);
	}
	return now() - start;
}

/* COUNT MiB into one file, then a sync of it. The file goes, untimed. */
static double row_write(const char *folder, unsigned count)
{
	static char piece[PIECE];
	double start = now(), end;
	char path[4096];
	int fd;

	name_of(path, folder, "written", 0);
	memset(piece, 0x5a, sizeof(piece));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	for (unsigned i = 0; fd >= 0 && i < count * ((1u << 20) / PIECE); i++) {
		if (write(fd, piece, PIECE) != PIECE)
			fail(path);
	}
	if (fd < 0 || fsync(fd) != 0 || close(fd) != 0)
		fail(path);
	end = now();
	unlink(path);
	return end - start;
}

/* FOLDER is a file here: opened to be written, where a lower layer's file has to be copied up
 * first. */
static double row_copy_up(const char *path, unsigned count)
{
	double start = now();
	int fd = open(path, O_WRONLY);

	(void)count;
	if (fd < 0 || close(fd) != 0)
		fail(path);
	return now() - start;
}

static double run(const char *root, char **command)
{
	double start = now();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(LIMIT);
		if (chroot(root) != 0 || chdir("/") != 0)
			fail(root);
		execv(command[0], command);
		fail(command[0]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		fail(command[0]);
	return now() - start;
}

static const struct {
	const char *name;
	double (*run)(const char *folder, unsigned count);
} rows[] = {
	{ "scan", row_scan },	      { "read", row_read },
	{ "random", row_random },     { "concurrent", row_concurrent },
	{ "negative", row_negative }, { "create", row_create },
	{ "rename", row_rename },     { "delete", row_delete },
	{ "write", row_write },	      { "copy-up", row_copy_up },
};

int main(int argc, char **argv)
{
	alarm(LIMIT + 5);
	if (argc > 3 && !strcmp(argv[1], "run")) {
		printf("%.3f 0 0\n", run(argv[2], argv + 3));
		return 0;
	}
	for (size_t i = 0; argc >= 3 && i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(argv[1], rows[i].name)) {
			printf("%.3f",
			       rows[i].run(argv[2], argc > 3 ? (unsigned)atoi(argv[3]) : 0));
			printf(" %zu %llu\n", entry_count, (unsigned long long)bytes_read);
			return 0;
		}
	}
	fprintf(stderr, "usage: workload ROW FOLDER [COUNT]\n");
	return 2;
}
