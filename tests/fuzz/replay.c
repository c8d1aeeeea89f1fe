/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over every file of a corpus folder, each in memory of its exact size. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Targets with a mutator of their own refer to libFuzzer's; replaying never mutates. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	(void)data;
	(void)max_size;
	return size;
}

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t size;

	if (!file || fstat(fileno(file), &st) < 0) {
		perror(path);
		return -1;
	}
	size = (size_t)st.st_size;
	data = malloc(size ? size : 1);
	if (!data || fread(data, 1, size, file) != size) {
		perror(path);
		exit(1);
	}
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **names;
	char path[4096];
	int count = argc == 2 ? scandir(argv[1], &names, NULL, alphasort) : -1;
	int done = 0;

	if (count < 0) {
		fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
		return 2;
	}
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]->d_name);
		if (names[i]->d_name[0] != '.' && replay(path) == 0)
			done++;
		free(names[i]);
	}
	free(names);
	printf("%d inputs\n", done);
	return done > 0 ? 0 : 1;
}
