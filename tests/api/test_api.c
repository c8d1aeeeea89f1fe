/* SPDX-License-Identifier: Apache-2.0 */
/* The public API on the small image of fixtures/images/hello. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mkrootfs.h>

#define HELLO "oci:" FIXTURES "/images/hello"

static struct mkrootfs_error error;

/* A folder of this test, and paths in it that live until the next four calls. */
static char folder[64];

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/mkrootfs-api.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static struct mkrootfs_image *pull_hello(void)
{
	const struct mkrootfs_pull_options options = { .reference = HELLO,
						       .store = in_folder("store"),
						       .platform = "linux/amd64" };
	struct mkrootfs_image *image;

	if (mkrootfs_pull(&image, &options, &error) < 0)
		fail_msg("%s", error.message);
	return image;
}

static uint8_t *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	uint8_t *data;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	*size = (size_t)st.st_size;
	data = malloc(*size + 1);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *size, file), *size);
	fclose(file);
	return data;
}

static void assert_same_file(const char *a, const char *b)
{
	size_t a_size, b_size;
	uint8_t *a_data = read_all(a, &a_size), *b_data = read_all(b, &b_size);

	assert_int_equal(a_size, b_size);
	assert_memory_equal(a_data, b_data, a_size);
	free(a_data);
	free(b_data);
}

static void pulls_and_describes(void **state)
{
	struct mkrootfs_image *image = pull_hello();
	const struct mkrootfs_image_config *config = mkrootfs_image_config(image);
	struct stat disk;

	(void)state;
	assert_int_equal(mkrootfs_image_layer_count(image), 3);
	assert_null(mkrootfs_image_layer(image, 3));
	assert_string_equal(mkrootfs_image_platform(image), "linux/amd64");
	assert_int_equal(stat(mkrootfs_image_disk(image), &disk), 0);
	assert_int_equal(config->cmd.count, 2);
	assert_string_equal(config->cmd.items[1], "/hello.txt");
	assert_int_equal(config->entrypoint.count, 0);
	assert_string_equal(config->user, "");
	assert_int_equal(mkrootfs_image_layer(image, 0)->reused, 0);
	assert_non_null(strstr(mkrootfs_image_json(image), mkrootfs_image_digest(image)));
	mkrootfs_image_free(image);

	image = pull_hello();
	assert_int_equal(mkrootfs_image_layer(image, 0)->reused, 1);
	mkrootfs_image_free(image);
}

static void the_disk_is_as_long_as_its_files(void **state)
{
	struct mkrootfs_image *image = pull_hello();
	uint64_t sum = 0;
	struct stat st;

	(void)state;
	assert_int_equal(stat(mkrootfs_image_fsmeta(image), &st), 0);
	sum = (uint64_t)st.st_size;
	for (size_t i = 0; i < mkrootfs_image_layer_count(image); i++)
		sum += mkrootfs_image_layer(image, i)->size;
	assert_int_equal(mkrootfs_image_disk_size(image), sum);
	mkrootfs_image_free(image);
}

static void finds_images_by_every_name(void **state)
{
	struct mkrootfs_image *pulled = pull_hello(), *found;
	const char *digest = mkrootfs_image_digest(pulled);
	char prefix[7] = "";
	const char *const names[] = { HELLO, mkrootfs_image_reference(pulled), digest, digest + 7,
				      prefix };

	(void)state;
	memcpy(prefix, digest + 7, 6);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mkrootfs_image_open(&found, in_folder("store"), names[i], &error) < 0)
			fail_msg("%s: %s", names[i], error.message);
		assert_string_equal(mkrootfs_image_directory(found),
				    mkrootfs_image_directory(pulled));
		assert_string_equal(mkrootfs_image_reference(found),
				    mkrootfs_image_reference(pulled));
		mkrootfs_image_free(found);
	}
	mkrootfs_image_free(pulled);
}

static void says_what_it_does_not_find(void **state)
{
	static const struct {
		const char *name;
		int status;
	} cases[] = {
		{ "python:3.12", MKROOTFS_ERROR_NOT_FOUND },
		{ "abcdef", MKROOTFS_ERROR_NOT_FOUND },
		{ "sha256:123456", MKROOTFS_ERROR_NOT_FOUND },
		{ "sha256:12", MKROOTFS_ERROR_INVALID },
		{ "Upper/Case", MKROOTFS_ERROR_INVALID },
	};
	struct mkrootfs_image *image = pull_hello();

	(void)state;
	mkrootfs_image_free(image);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status = mkrootfs_image_open(&image, in_folder("store"), cases[i].name, &error);

		if (status != cases[i].status)
			fail_msg("%s: %d, %s", cases[i].name, status, error.message);
		assert_null(image);
	}
	assert_int_equal(mkrootfs_image_open(&image, in_folder("no-store"), "x", NULL),
			 MKROOTFS_ERROR_NOT_FOUND);
}

static void lists_images(void **state)
{
	struct mkrootfs_image_list *list;

	(void)state;
	assert_int_equal(mkrootfs_image_list(&list, in_folder("no-store"), &error), 0);
	assert_int_equal(list->count, 0);
	mkrootfs_image_list_free(list);
	mkrootfs_image_free(pull_hello());
	assert_int_equal(mkrootfs_image_list(&list, in_folder("store"), &error), 0);
	assert_int_equal(list->count, 1);
	mkrootfs_image_list_free(list);
}

static void a_damaged_image_is_listed_and_mended(void **state)
{
	struct mkrootfs_image *image = pull_hello(), *opened;
	struct mkrootfs_image_list *list;

	(void)state;
	assert_int_equal(truncate(mkrootfs_image_fsmeta(image), 4000), 0);
	mkrootfs_image_free(image);
	assert_int_equal(mkrootfs_image_open(&opened, in_folder("store"), HELLO, &error),
			 MKROOTFS_ERROR_MALFORMED);
	assert_int_equal(mkrootfs_image_list(&list, in_folder("store"), &error), 0);
	assert_int_equal(list->count, 1);
	assert_non_null(mkrootfs_image_problem(list->images[0]));
	assert_non_null(strstr(mkrootfs_image_json(list->images[0]), "problem"));
	assert_int_equal(mkrootfs_image_layer_count(list->images[0]), 0);
	mkrootfs_image_list_free(list);

	mkrootfs_image_free(pull_hello());
	assert_int_equal(mkrootfs_image_open(&opened, in_folder("store"), HELLO, &error), 0);
	assert_null(mkrootfs_image_problem(opened));
	mkrootfs_image_free(opened);
}

/* Puts something else in the place of a path in the store. */
static void replace_with(const char *path, const char *how)
{
	char command[2048];

	snprintf(command, sizeof(command), "rm -rf '%s' && %s '%s'", path, how, path);
	assert_int_equal(system(command), 0);
}

static void what_stands_in_the_place_of_a_file_is_mended(void **state)
{
	static const char *const kinds[] = { "mkfifo", "mkdir -p", "ln -s /dev/zero", "touch" };
	struct mkrootfs_image *image = pull_hello(), *opened;
	char fsmeta[512], directory[512];

	(void)state;
	snprintf(fsmeta, sizeof(fsmeta), "%s", mkrootfs_image_fsmeta(image));
	snprintf(directory, sizeof(directory), "%s", mkrootfs_image_directory(image));
	mkrootfs_image_free(image);
	for (size_t i = 0; i < 8; i++) {
		replace_with(i < 4 ? fsmeta : directory, kinds[i % 4]);
		assert_true(mkrootfs_image_open(&opened, in_folder("store"), HELLO, &error) < 0);
		mkrootfs_image_free(pull_hello());
	}
	assert_int_equal(access(in_folder("store/tmp"), F_OK), 0);
	assert_int_equal(rmdir(in_folder("store/tmp")), 0); /* empty */
}

static void a_damaged_record_does_not_hide_the_rest(void **state)
{
	struct mkrootfs_image *image = pull_hello(), *found;
	struct mkrootfs_image_list *list;
	char digest[MKROOTFS_DIGEST_SIZE];

	(void)state;
	strcpy(digest, mkrootfs_image_digest(image));
	mkrootfs_image_free(image);
	replace_with(in_folder("store/references/foreign"), "echo x >");
	assert_int_equal(mkrootfs_image_list(&list, in_folder("store"), &error), 0);
	assert_int_equal(list->count, 2);
	assert_non_null(strstr(mkrootfs_image_problem(list->images[0]), "references/foreign"));
	assert_null(mkrootfs_image_problem(list->images[1]));
	mkrootfs_image_list_free(list);
	assert_int_equal(mkrootfs_image_open(&found, in_folder("store"), digest, &error), 0);
	mkrootfs_image_free(found);
}

/* ---- Verifying ---- */

struct heard {
	unsigned problems, verified, removed;
	char path[256], name[256];
	int answer; /* of the problem function */
};

static int hear_problem(void *user, const struct mkrootfs_problem *problem)
{
	struct heard *heard = user;

	heard->problems++;
	assert_non_null(problem->text);
	snprintf(heard->path, sizeof(heard->path), "%s", problem->path ? problem->path : "");
	snprintf(heard->name, sizeof(heard->name), "%s", problem->name ? problem->name : "");
	return heard->answer;
}

static int hear_event(void *user, const struct mkrootfs_event *event)
{
	struct heard *heard = user;

	heard->verified += event->kind == MKROOTFS_EVENT_VERIFIED;
	heard->removed += event->kind == MKROOTFS_EVENT_REMOVED;
	return 0;
}

/* A byte of the first block of file data. */
static void damage_layer(const struct mkrootfs_image *image, size_t layer)
{
	int fd = open(mkrootfs_image_layer(image, layer)->path, O_RDWR);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "\xff", 1, 4096 + 4000), 1);
	close(fd);
}

static void verifies_what_is_sound(void **state)
{
	struct heard heard = { 0 };
	const struct mkrootfs_verify_options options = { .problem = hear_problem,
							 .problem_user = &heard,
							 .events = hear_event,
							 .events_user = &heard };
	struct mkrootfs_image *image = pull_hello();
	struct mkrootfs_verify_result result;
	struct mkrootfs_tree *tree;

	(void)state;
	assert_int_equal(mkrootfs_image_verify(&result, image, &options, &error), 0);
	assert_int_equal(result.problems + heard.problems + result.unsealed, 0);
	assert_true(result.images >= 2 && result.bytes >= 2 * 4096);
	assert_int_equal(heard.verified, 1);
	assert_int_equal(mkrootfs_store_verify(&result, in_folder("store"), NULL, NULL, NULL), 0);
	assert_int_equal(result.problems, 0);
	assert_int_equal(mkrootfs_tree_open_image(&tree, image, &error), 0);
	assert_int_equal(mkrootfs_tree_verify(&result, tree, NULL, &error), 0);
	assert_int_equal(result.problems, 0);
	mkrootfs_tree_close(tree);
	mkrootfs_image_free(image);
	assert_int_equal(mkrootfs_store_verify(&result, in_folder("store"), "no/such", NULL, NULL),
			 MKROOTFS_ERROR_NOT_FOUND);
	assert_int_equal(mkrootfs_store_verify(&result, NULL, NULL, NULL, NULL),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_image_verify(&result, NULL, NULL, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_tree_verify(&result, NULL, NULL, NULL), MKROOTFS_ERROR_INVALID);
}

static void verifying_finds_and_removes_damage(void **state)
{
	struct heard heard = { .answer = 1 };
	struct mkrootfs_verify_options options = { .problem = hear_problem,
						   .problem_user = &heard,
						   .events = hear_event,
						   .events_user = &heard };
	struct mkrootfs_image *image = pull_hello();
	struct mkrootfs_verify_result result;

	(void)state;
	damage_layer(image, 0);
	assert_int_equal(mkrootfs_image_verify(&result, image, &options, &error),
			 MKROOTFS_ERROR_CANCELLED);
	assert_int_equal(heard.problems, 1);
	assert_int_equal(heard.path[0], '/');
	assert_string_equal(heard.name, mkrootfs_image_reference(image));
	heard = (struct heard){ 0 };
	options.remove_damaged = 1;
	assert_int_equal(
		mkrootfs_store_verify(&result, in_folder("store"), HELLO, &options, &error), 0);
	assert_true(result.problems > 0 && result.removed >= 3);
	assert_int_equal(heard.removed, result.removed);
	assert_int_not_equal(access(mkrootfs_image_directory(image), F_OK), 0);
	mkrootfs_image_free(image);
	mkrootfs_image_free(pull_hello());
	assert_int_equal(mkrootfs_store_verify(&result, in_folder("store"), NULL, NULL, NULL), 0);
	assert_int_equal(result.problems, 0);
}

static int64_t read_descriptor(void *user, void *buffer, size_t size)
{
	return read(*(int *)user, buffer, size > 100 ? 100 : size);
}

/* The blob of a layer of the fixture, by the digest in its manifest. */
static const char *const blobs[] = {
	"15057eb5f1b44d2ead6e21df5a04235df9aad757cab9e44787858189eff9c7b6",
	"03dad73559f6d3aecf891db0dc4e0f9c2d18be560b79d6b278b3c473bdaf5e34",
	"e59827175e923274197d02166e0c67131e73a24819c37c53e1180f357e3e3a04",
};

static int convert_blob(const char *blob, const char *out, char diff_id[MKROOTFS_DIGEST_SIZE],
			const struct mkrootfs_layer_options *options)
{
	char path[512];
	int fd, status;

	snprintf(path, sizeof(path), FIXTURES "/images/hello/blobs/sha256/%s", blob);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	status = mkrootfs_layer_convert(out, diff_id, read_descriptor, &fd, options, &error);
	close(fd);
	return status;
}

static void single_steps_give_what_a_pull_gives(void **state)
{
	struct mkrootfs_image *image = pull_hello();
	char names[3][32], paths[3][256], diff_id[MKROOTFS_DIGEST_SIZE];
	const char *layers[3], *files[4] = { "fsmeta" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		snprintf(names[i], sizeof(names[i]), "layer%zu", i);
		snprintf(paths[i], sizeof(paths[i]), "%s/%s", folder, names[i]);
		layers[i] = paths[i];
		files[i + 1] = names[i];
		if (convert_blob(blobs[i], paths[i], diff_id, NULL) < 0)
			fail_msg("%s", error.message);
		assert_string_equal(diff_id, mkrootfs_image_layer(image, i)->diff_id);
		assert_same_file(paths[i], mkrootfs_image_layer(image, i)->path);
	}
	assert_int_equal(mkrootfs_fsmeta_merge(in_folder("fsmeta"), layers, 3, NULL, &error), 0);
	assert_same_file(in_folder("fsmeta"), mkrootfs_image_fsmeta(image));
	assert_int_equal(mkrootfs_disk_describe(in_folder("disk.vmdk"), files, 4, 0, &error), 0);
	assert_int_equal(access(in_folder("disk.vmdk"), R_OK), 0);
	mkrootfs_image_free(image);
}

static void steps_check_digests_and_do_not_overwrite(void **state)
{
	const struct mkrootfs_layer_options wrong_diff_id = {
		.diff_id = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	};
	const struct mkrootfs_layer_options wrong_blob = { .blob_digest = wrong_diff_id.diff_id };
	char diff_id[MKROOTFS_DIGEST_SIZE];

	(void)state;
	assert_int_equal(convert_blob(blobs[0], in_folder("l"), diff_id, &wrong_diff_id),
			 MKROOTFS_ERROR_DIGEST);
	assert_int_equal(convert_blob(blobs[0], in_folder("l"), diff_id, &wrong_blob),
			 MKROOTFS_ERROR_DIGEST);
	assert_string_equal(diff_id, "");
	assert_int_not_equal(access(in_folder("l"), F_OK), 0);
	assert_int_equal(convert_blob(blobs[0], in_folder("l"), NULL, NULL), 0);
	assert_int_equal(convert_blob(blobs[0], in_folder("l"), NULL, NULL), MKROOTFS_ERROR_IO);
	assert_non_null(strstr(error.message, "exists"));
}

static void what_is_made_never_replaces_what_it_is_made_of(void **state)
{
	const struct mkrootfs_merge_options replace = { .replace = 1 };
	const char *const itself = "d";
	char layer[256];
	const char *layers[1] = { layer };

	(void)state;
	snprintf(layer, sizeof(layer), "%s/./l", folder);
	assert_int_equal(convert_blob(blobs[0], layer, NULL, NULL), 0);
	assert_int_equal(mkrootfs_fsmeta_merge(in_folder("l"), layers, 1, &replace, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_non_null(strstr(error.message, "made of itself"));
	assert_int_equal(mkrootfs_disk_describe(in_folder("d"), &itself, 1, 1, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_non_null(strstr(error.message, "part of itself"));
	assert_int_equal(mkrootfs_fsmeta_merge(in_folder("m"), layers, 1, &replace, &error), 0);
}

static void descriptors_take_only_names_of_whole_sectors(void **state)
{
	const char *const path = "a/b", *const odd = "odd";
	FILE *file = fopen(in_folder("odd"), "w");

	(void)state;
	fputs("not a sector", file);
	fclose(file);
	assert_int_equal(mkrootfs_disk_describe(in_folder("d"), &path, 1, 0, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_disk_describe(in_folder("d"), &odd, 1, 0, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_disk_describe(in_folder("d"), &odd, 0, 0, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_int_not_equal(access(in_folder("d"), F_OK), 0);
}

static void an_upper_is_the_same_by_path_and_by_descriptor(void **state)
{
	const struct mkrootfs_upper_options options = { .size = 64 << 20, .label = "state" };
	int fd = memfd_create("upper", MFD_CLOEXEC);
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(mkrootfs_upper(in_folder("upper"), &options, &error), 0);
	assert_int_equal(mkrootfs_upper_fd(fd, &options, &error), 0);
	assert_same_file(in_folder("upper"), path);
	close(fd);
}

static void uppers_are_not_overwritten_unasked(void **state)
{
	struct mkrootfs_upper_options options = { .size = MKROOTFS_UPPER_MIN_SIZE };

	(void)state;
	assert_int_equal(mkrootfs_upper(in_folder("u"), &options, &error), 0);
	assert_int_equal(mkrootfs_upper(in_folder("u"), &options, &error), MKROOTFS_ERROR_IO);
	options.replace = 1;
	assert_int_equal(mkrootfs_upper(in_folder("u"), &options, &error), 0);
}

static void refuses_what_makes_no_sense(void **state)
{
	const struct mkrootfs_pull_options no_store = { .reference = HELLO };
	const struct mkrootfs_upper_options uppers[] = {
		{ .size = MKROOTFS_UPPER_MIN_SIZE - 1 },
		{ .size = UINT64_MAX },
		{ .uuid = "not-a-uuid" },
		{ .uuid = "00000000-0000-0000-0000-000000000000" },
		{ .label = "more than sixteen bytes" },
	};
	const char *const nothing = NULL;
	struct mkrootfs_image *image;

	(void)state;
	assert_int_equal(mkrootfs_pull(&image, NULL, &error), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_pull(&image, &no_store, NULL), MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_layer_convert(NULL, NULL, read_descriptor, NULL, NULL, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_fsmeta_merge(in_folder("m"), &nothing, 1, NULL, &error),
			 MKROOTFS_ERROR_INVALID);
	assert_int_equal(mkrootfs_disk_describe(in_folder("d"), &nothing, 1, 0, &error),
			 MKROOTFS_ERROR_INVALID);
	for (size_t i = 0; i < sizeof(uppers) / sizeof(uppers[0]); i++)
		assert_int_equal(mkrootfs_upper(in_folder("u"), &uppers[i], &error),
				 MKROOTFS_ERROR_INVALID);
	assert_int_not_equal(access(in_folder("u"), F_OK), 0);
}

static void a_success_leaves_no_error(void **state)
{
	(void)state;
	memset(&error, 0xaa, sizeof(error));
	mkrootfs_image_free(pull_hello());
	assert_int_equal(error.status, 0);
	assert_string_equal(error.message, "");
}

static int cancel_at(void *user, const struct mkrootfs_event *event)
{
	return event->kind == *(enum mkrootfs_event_kind *)user;
}

static void a_callback_cancels_at_any_event(void **state)
{
	static enum mkrootfs_event_kind kinds[] = { MKROOTFS_EVENT_RESOLVED,
						    MKROOTFS_EVENT_LAYER_PROGRESS,
						    MKROOTFS_EVENT_LAYER_DONE,
						    MKROOTFS_EVENT_MERGED };
	struct mkrootfs_pull_options options = { .reference = HELLO, .events = cancel_at };
	struct mkrootfs_image *image;
	char store[32];

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		/* A pull that another one left layers for has no event of making them. */
		snprintf(store, sizeof(store), "cancelled%zu", i);
		options.store = in_folder(store);
		options.events_user = &kinds[i];
		assert_int_equal(mkrootfs_pull(&image, &options, &error), MKROOTFS_ERROR_CANCELLED);
		assert_null(image);
	}
	options.events = NULL;
	assert_int_equal(mkrootfs_pull(&image, &options, &error), 0);
	mkrootfs_image_free(image);
}

/* A blob with bytes behind its end, which is worth a warning. */
static int64_t read_with_junk(void *user, void *buffer, size_t size)
{
	int *fd = user;
	ssize_t got = *fd < 0 ? 0 : read(*fd, buffer, size);

	if (got != 0 || *fd < 0)
		return got;
	close(*fd);
	*fd = -1;
	memcpy(buffer, "junk", 4);
	return 4;
}

static void a_callback_cancels_at_a_warning(void **state)
{
	static enum mkrootfs_event_kind warning = MKROOTFS_EVENT_WARNING;
	struct mkrootfs_layer_options options = { .events = cancel_at, .events_user = &warning };
	char path[512];
	int fd, status;

	(void)state;
	snprintf(path, sizeof(path), FIXTURES "/images/hello/blobs/sha256/%s", blobs[0]);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	status =
		mkrootfs_layer_convert(in_folder("l"), NULL, read_with_junk, &fd, &options, &error);
	assert_int_equal(status, MKROOTFS_ERROR_CANCELLED);
	assert_int_not_equal(access(in_folder("l"), F_OK), 0);
}

static void names_every_status(void **state)
{
	(void)state;
	assert_string_equal(mkrootfs_status_name(MKROOTFS_OK), "ok");
	assert_string_equal(mkrootfs_status_name(MKROOTFS_ERROR_NO_MEMORY), "out of memory");
	assert_string_equal(mkrootfs_status_name(MKROOTFS_ERROR_NOT_FOUND), "not found");
	assert_string_equal(mkrootfs_status_name(-99), "unknown status");
	assert_string_equal(mkrootfs_status_name(1), "unknown status");
	assert_true(strlen(mkrootfs_version()) >= 5);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(pulls_and_describes),
		IN_FOLDER(the_disk_is_as_long_as_its_files),
		IN_FOLDER(finds_images_by_every_name),
		IN_FOLDER(says_what_it_does_not_find),
		IN_FOLDER(lists_images),
		IN_FOLDER(a_damaged_image_is_listed_and_mended),
		IN_FOLDER(what_stands_in_the_place_of_a_file_is_mended),
		IN_FOLDER(a_damaged_record_does_not_hide_the_rest),
		IN_FOLDER(verifies_what_is_sound),
		IN_FOLDER(verifying_finds_and_removes_damage),
		IN_FOLDER(a_success_leaves_no_error),
		IN_FOLDER(single_steps_give_what_a_pull_gives),
		IN_FOLDER(steps_check_digests_and_do_not_overwrite),
		IN_FOLDER(what_is_made_never_replaces_what_it_is_made_of),
		IN_FOLDER(descriptors_take_only_names_of_whole_sectors),
		IN_FOLDER(an_upper_is_the_same_by_path_and_by_descriptor),
		IN_FOLDER(uppers_are_not_overwritten_unasked),
		IN_FOLDER(refuses_what_makes_no_sense),
		IN_FOLDER(a_callback_cancels_at_any_event),
		IN_FOLDER(a_callback_cancels_at_a_warning),
		IN_FOLDER(names_every_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
