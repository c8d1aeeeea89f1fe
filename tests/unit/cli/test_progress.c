/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

#define DIGEST "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UP(lines) "\r\033[" #lines "A"

/* A progress that writes to memory, and what it wrote since the last look. */
struct screen {
	struct progress progress;
	FILE *out;
	char *text;
	size_t size;
	size_t seen;
};

static void open_screen(struct screen *screen, struct terminal terminal, enum progress_mode mode)
{
	*screen = (struct screen){ 0 };
	screen->out = open_memstream(&screen->text, &screen->size);
	assert_non_null(screen->out);
	terminal.fd = -1;
	progress_open(&screen->progress, screen->out, terminal, mode, "a:1");
}

static const char *news(struct screen *screen)
{
	size_t seen = screen->seen;

	fflush(screen->out);
	screen->seen = screen->size;
	return screen->text + seen;
}

static void close_screen(struct screen *screen)
{
	fclose(screen->out);
	free(screen->text);
}

static void send(struct screen *screen, uint64_t now, enum mkrootfs_event_kind kind, uint32_t index,
		 uint64_t done, uint64_t total)
{
	struct mkrootfs_event event = { .kind = kind,
					.layer_index = index,
					.layer_count = screen->progress.layer_count,
					.digest = DIGEST,
					.done = done,
					.total = total };

	progress_event(&screen->progress, &event, now);
}

static void resolve(struct screen *screen, uint64_t now, uint32_t layers)
{
	struct mkrootfs_event event = { .kind = MKROOTFS_EVENT_RESOLVED,
					.layer_count = layers,
					.digest = DIGEST };

	progress_event(&screen->progress, &event, now);
}

static void warn(struct screen *screen, uint64_t now, const char *text)
{
	struct mkrootfs_event event = { .kind = MKROOTFS_EVENT_WARNING, .text = text };

	progress_event(&screen->progress, &event, now);
}

static const struct terminal no_terminal = { .columns = 80, .rows = 24 };
static const struct terminal narrow = { .live = true, .columns = 60, .rows = 24 };

static void writes_plain_lines(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, no_terminal, PROGRESS_SHOWN);
	resolve(&screen, 1000, 3);
	send(&screen, 1000, MKROOTFS_EVENT_LAYER_REUSED, 0, 0, 0);
	send(&screen, 1000, MKROOTFS_EVENT_LAYER_PROGRESS, 1, 1, 4096);
	send(&screen, 10999, MKROOTFS_EVENT_LAYER_PROGRESS, 1, 1024, 4096);
	send(&screen, 11000, MKROOTFS_EVENT_LAYER_PROGRESS, 1, 1024, 4096);
	send(&screen, 11001, MKROOTFS_EVENT_LAYER_PROGRESS, 1, 4096, 4096);
	send(&screen, 12000, MKROOTFS_EVENT_LAYER_DONE, 1, 8192, 0);
	send(&screen, 22000, MKROOTFS_EVENT_LAYER_PROGRESS, 2, 2048, 0);
	warn(&screen, 22000, "odd\nthing");
	send(&screen, 22100, MKROOTFS_EVENT_LAYER_DONE, 2, 512, 0);
	send(&screen, 22200, MKROOTFS_EVENT_MERGED, 0, 77, 0);
	progress_close(&screen.progress, true, 22300);
	assert_string_equal(news(&screen),
			    "resolved a:1: " DIGEST ", 3 layers\n"
			    "layer 1/3 sha256:0123456789ab: already in the store\n"
			    "layer 2/3 sha256:0123456789ab: 25%, 1.0 KiB of 4.0 KiB\n"
			    "layer 2/3 sha256:0123456789ab: done, 8.0 KiB\n"
			    "layer 3/3 sha256:0123456789ab: 2.0 KiB\n"
			    "mkrootfs: warning: odd\\x0athing\n"
			    "layer 3/3 sha256:0123456789ab: done, 512 B\n"
			    "merged 77 inodes\n"
			    "3 layers, 1 reused, 6.0 KiB fetched in 21.3 s\n");
	close_screen(&screen);
}

static void is_quiet_but_for_warnings(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, narrow, PROGRESS_QUIET);
	resolve(&screen, 0, 1);
	warn(&screen, 0, "odd");
	send(&screen, 500, MKROOTFS_EVENT_LAYER_DONE, 0, 1, 0);
	progress_close(&screen.progress, true, 900);
	assert_string_equal(news(&screen), "mkrootfs: warning: odd\n");
	close_screen(&screen);
}

/* The same lines without a total after a failure. */
static void says_nothing_of_totals_after_a_failure(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, no_terminal, PROGRESS_SHOWN);
	resolve(&screen, 0, 1);
	news(&screen);
	progress_close(&screen.progress, false, 900);
	assert_string_equal(news(&screen), "");
	close_screen(&screen);
}

static void ignores_layers_that_do_not_exist(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, no_terminal, PROGRESS_SHOWN);
	send(&screen, 0, MKROOTFS_EVENT_LAYER_DONE, 0, 1, 0);
	resolve(&screen, 0, 1);
	news(&screen);
	send(&screen, 0, MKROOTFS_EVENT_LAYER_DONE, 1, 1, 0);
	send(&screen, 0, MKROOTFS_EVENT_LAYER_REUSED, UINT32_MAX, 1, 0);
	assert_string_equal(news(&screen), "");
	progress_close(&screen.progress, true, 0);
	assert_string_equal(news(&screen), "1 layer, 0 reused, 0 B fetched in 0.0 s\n");
	close_screen(&screen);
}

static void redraws_a_block_in_place(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, narrow, PROGRESS_SHOWN);
	assert_string_equal(news(&screen), "resolving\033[K\n\033[J");
	resolve(&screen, 1000, 2);
	assert_string_equal(news(&screen), UP(1) "1/2              waiting\033[K\n"
						 "2/2              waiting\033[K\n"
						 "0 of 2 layers, 0 B fetched\033[K\n\033[J");
	send(&screen, 2000, MKROOTFS_EVENT_LAYER_PROGRESS, 0, 1048576, 2097152);
	assert_string_equal(
		news(&screen),
		UP(3) "1/2 0123456789ab [=====>    ]  50%    1.0 MiB of    2.0 MiB\033[K\n"
		      "2/2              waiting\033[K\n"
		      "0 of 2 layers, 1.0 MiB fetched, 1.0 MiB/s\033[K\n\033[J");
	progress_close(&screen.progress, false, 2000);
	close_screen(&screen);
}

static void shows_the_states_of_layers(void **state)
{
	struct screen screen;
	const char *text;

	(void)state;
	open_screen(&screen, narrow, PROGRESS_SHOWN);
	resolve(&screen, 0, 2);
	send(&screen, 10, MKROOTFS_EVENT_LAYER_REUSED, 0, 0, 0);
	news(&screen);
	/* The last one to finish is drawn at once: merging may take a while without events. */
	send(&screen, 20, MKROOTFS_EVENT_LAYER_DONE, 1, 2048, 0);
	assert_string_equal(news(&screen), UP(3) "1/2 0123456789ab already in the store\033[K\n"
						 "2/2 0123456789ab done, 2.0 KiB\033[K\n"
						 "2 of 2 layers, merging metadata\033[K\n\033[J");
	progress_close(&screen.progress, true, 1530);
	text = news(&screen);
	assert_non_null(strstr(text, "2 layers, 1 reused, 0 B fetched in 1.5 s\033[K\n\033[J"));
	close_screen(&screen);
}

static void draws_ten_times_a_second_at_most(void **state)
{
	struct screen screen;
	unsigned drawings = 0;

	(void)state;
	open_screen(&screen, narrow, PROGRESS_SHOWN);
	resolve(&screen, 0, 1);
	news(&screen);
	for (uint64_t now = 1; now <= 1000; now++) {
		send(&screen, now, MKROOTFS_EVENT_LAYER_PROGRESS, 0, now, 100000);
		drawings += *news(&screen) != '\0';
	}
	assert_int_equal(drawings, 10);
	progress_close(&screen.progress, false, 1001);
	close_screen(&screen);
}

/* Lines of text from its last move of the cursor on. */
static unsigned drawn_lines(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static void scrolls_through_more_layers_than_rows(void **state)
{
	static const struct terminal small = { .live = true, .columns = 60, .rows = 6 };
	struct screen screen;
	const char *text;

	(void)state;
	open_screen(&screen, small, PROGRESS_SHOWN);
	news(&screen);
	resolve(&screen, 0, 100);
	text = news(&screen);
	assert_int_equal(drawn_lines(text), 5);
	assert_non_null(strstr(text, "  4/100"));
	assert_null(strstr(text, "  5/100"));
	for (uint32_t i = 0; i < 50; i++)
		send(&screen, 200, MKROOTFS_EVENT_LAYER_REUSED, i, 0, 0);
	news(&screen);
	send(&screen, 400, MKROOTFS_EVENT_LAYER_PROGRESS, 50, 1, 2);
	text = news(&screen);
	assert_int_equal(drawn_lines(text), 5);
	assert_non_null(strstr(text, UP(5) " 51/100"));
	for (uint32_t i = 50; i < 100; i++)
		send(&screen, 600, MKROOTFS_EVENT_LAYER_DONE, i, 1, 0);
	text = news(&screen);
	assert_non_null(strstr(text, "\n100/100"));
	progress_close(&screen.progress, true, 700);
	close_screen(&screen);
}

static void fits_every_width(void **state)
{
	(void)state;
	for (unsigned columns = 1; columns < 400; columns++) {
		struct terminal terminal = { .live = true, .columns = columns, .rows = 24 };
		struct screen screen;
		const char *line;

		open_screen(&screen, terminal, PROGRESS_SHOWN);
		resolve(&screen, 0, 1);
		news(&screen);
		send(&screen, 1000, MKROOTFS_EVENT_LAYER_PROGRESS, 0, UINT64_MAX / 3, UINT64_MAX);
		line = news(&screen) + strlen(UP(2));
		assert_true(strcspn(line, "\033") <= (columns > 1 ? columns - 1 : 1));
		progress_close(&screen.progress, true, 2000);
		close_screen(&screen);
	}
}

static void puts_warnings_above_the_block(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, narrow, PROGRESS_SHOWN);
	resolve(&screen, 0, 1);
	news(&screen);
	warn(&screen, 500, "odd \033[2J");
	assert_string_equal(news(&screen), UP(2) "\033[J"
						 "mkrootfs: warning: odd \\x1b[2J\n"
						 "1/1              waiting\033[K\n"
						 "0 of 1 layers, 0 B fetched, 0 B/s\033[K\n\033[J");
	progress_close(&screen.progress, false, 600);
	assert_non_null(strstr(news(&screen), "stopped with 0 of 1 layers\033[K\n"));
	close_screen(&screen);
}

static void colors_when_allowed(void **state)
{
	static const struct terminal colored = {
		.live = true, .color = true, .columns = 60, .rows = 24
	};
	struct screen screen;

	(void)state;
	open_screen(&screen, colored, PROGRESS_SHOWN);
	resolve(&screen, 0, 1);
	send(&screen, 500, MKROOTFS_EVENT_LAYER_DONE, 0, 1, 0);
	assert_non_null(strstr(news(&screen), "\033[32m1/1 0123456789ab done, 1 B\033[0m\033[K\n"));
	progress_close(&screen.progress, true, 600);
	close_screen(&screen);
}

static void removes_the_block_when_nothing_was_resolved(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, narrow, PROGRESS_SHOWN);
	news(&screen);
	progress_close(&screen.progress, false, 600);
	assert_string_equal(news(&screen), UP(1) "\033[J");
	close_screen(&screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_plain_lines),
		cmocka_unit_test(is_quiet_but_for_warnings),
		cmocka_unit_test(says_nothing_of_totals_after_a_failure),
		cmocka_unit_test(ignores_layers_that_do_not_exist),
		cmocka_unit_test(redraws_a_block_in_place),
		cmocka_unit_test(shows_the_states_of_layers),
		cmocka_unit_test(draws_ten_times_a_second_at_most),
		cmocka_unit_test(scrolls_through_more_layers_than_rows),
		cmocka_unit_test(fits_every_width),
		cmocka_unit_test(puts_warnings_above_the_block),
		cmocka_unit_test(colors_when_allowed),
		cmocka_unit_test(removes_the_block_when_nothing_was_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
