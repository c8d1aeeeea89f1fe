/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that are read ahead by a thread: the same bytes, the same errors, and prompt ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "chunk_source.h"
#include "io/ring.h"
#include "io/source.h"

#define DATA_SIZE (5u << 20)

static uint8_t *data;
static struct mkrootfs_error error;

static int make_data(void **state)
{
	uint32_t x = 1;

	(void)state;
	data = malloc(DATA_SIZE);
	for (size_t i = 0; data && i < DATA_SIZE; i++)
		data[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
	return data ? 0 : -1;
}

static int free_data(void **state)
{
	(void)state;
	free(data);
	return 0;
}

/* What the hooks saw. */
struct hooks {
	atomic_bool stop;
	int refused, asked; /* how often a thread is refused at first, and was asked for */
	int unused;
	atomic_int entered, left;
	pthread_t reader;
};

static bool begin(void *user)
{
	struct hooks *hooks = user;

	assert_true(pthread_equal(hooks->reader, pthread_self()));
	return hooks->asked++ >= hooks->refused;
}

static void enter(void *user)
{
	struct hooks *hooks = user;

	if (!pthread_equal(hooks->reader, pthread_self()))
		atomic_fetch_add(&hooks->entered, 1);
}

static void leave(void *user)
{
	atomic_fetch_add(&((struct hooks *)user)->left, 1);
}

static void unused(void *user)
{
	((struct hooks *)user)->unused++;
}

static struct source *ahead(struct hooks *hooks, struct source *inner, uint64_t direct)
{
	const struct source_ahead options = { .direct = direct,
					      .stop = &hooks->stop,
					      .begin = begin,
					      .unused = unused,
					      .enter = enter,
					      .leave = leave,
					      .user = hooks };
	struct source *source;

	hooks->reader = pthread_self();
	assert_int_equal(source_ahead(&source, inner, &options, &error), 0);
	return source;
}

/* Reads all; *status is that of the end. */
static size_t read_and_compare(struct source *source, int *status)
{
	const uint8_t *lent;
	size_t len, done = 0;

	while ((*status = source_next(source, &lent, &len, &error)) == 0 && len > 0) {
		assert_true(len <= DATA_SIZE - done);
		assert_memory_equal(lent, data + done, len);
		done += len;
	}
	return done;
}

static void the_same_bytes_in_all_chunks(void **state)
{
	static const size_t chunks[] = { 0, 100, 4096, 65537, 262144, 262145, 1 << 20 };
	static const uint64_t directs[] = { 0, 1, 1 << 20, DATA_SIZE - 1 };
	int status;

	(void)state;
	for (size_t c = 0; c < sizeof(chunks) / sizeof(chunks[0]); c++)
		for (size_t d = 0; d < sizeof(directs) / sizeof(directs[0]); d++) {
			struct hooks hooks = { .refused = 0 };
			struct source *source =
				ahead(&hooks, chunk_source(data, DATA_SIZE, chunks[c]), directs[d]);

			assert_int_equal(read_and_compare(source, &status), DATA_SIZE);
			assert_int_equal(status, 0);
			source_close(source);
			assert_int_equal(hooks.entered, hooks.asked);
			assert_int_equal(hooks.left, hooks.entered);
			assert_false(hooks.stop);
		}
}

static void short_streams_start_no_thread(void **state)
{
	struct hooks hooks = { .refused = 0 };
	struct source *source = ahead(&hooks, chunk_source(data, 100000, 1000), 100001);
	int status;

	(void)state;
	assert_int_equal(read_and_compare(source, &status), 100000);
	source_close(source);
	assert_int_equal(hooks.asked, 0);
	assert_int_equal(hooks.entered, 0);
}

static void a_thread_is_asked_for_until_it_may_begin(void **state)
{
	struct hooks hooks = { .refused = 3 };
	struct source *source = ahead(&hooks, chunk_source(data, DATA_SIZE, 10000), 100000);
	int status;

	(void)state;
	assert_int_equal(read_and_compare(source, &status), DATA_SIZE);
	source_close(source);
	assert_int_equal(hooks.asked, 4);
	assert_int_equal(hooks.entered, 1);
	assert_int_equal(hooks.unused, 0);
}

static void an_error_comes_behind_the_bytes_before_it(void **state)
{
	for (size_t chunk = 1000; chunk < 2000000; chunk *= 7) {
		struct hooks hooks = { .refused = 0 };
		struct source *source =
			ahead(&hooks, chunk_source_failing(data, DATA_SIZE, chunk), 0);
		int status;

		(void)state;
		assert_int_equal(read_and_compare(source, &status), DATA_SIZE);
		assert_int_equal(status, MKROOTFS_ERROR_IO);
		assert_string_equal(error.message, "the chunk source fails");
		assert_int_equal(read_and_compare(source, &status), 0);
		assert_int_equal(status, MKROOTFS_ERROR_IO);
		source_close(source);
	}
}

/* After some bytes, while the thread waits for room, works, or has ended. */
static void a_close_in_the_middle_ends_the_thread(void **state)
{
	(void)state;
	for (size_t want = 1; want <= DATA_SIZE; want *= 3) {
		struct hooks hooks = { .refused = 0 };
		int closed = 0;
		struct source *source =
			ahead(&hooks, chunk_source_counted(data, DATA_SIZE, 5000, &closed), 0);
		const uint8_t *lent;
		size_t len, done = 0;

		while (done < want && source_next(source, &lent, &len, &error) == 0 && len > 0)
			done += len;
		source_close(source);
		assert_int_equal(closed, 1);
		assert_int_equal(hooks.left, 1);
		assert_true(hooks.stop || done == DATA_SIZE);
	}
}

/* One inside the other, as the stages of a layer are: a stop of the outer ends the inner's wait. */
static void nested_streams_end_together(void **state)
{
	static const size_t wants[] = { 1, 300000, 2000000, SIZE_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		struct hooks hooks = { .refused = 0 };
		struct source_ahead options = { .stop = &hooks.stop };
		struct source *first, *source;
		const uint8_t *lent;
		size_t len, done = 0;

		assert_int_equal(
			source_ahead(&first, chunk_source(data, DATA_SIZE, 3000), &options, &error),
			0);
		source = ahead(&hooks, first, 0);
		while (done < wants[i] && source_next(source, &lent, &len, &error) == 0 &&
		       len > 0) {
			assert_memory_equal(lent, data + done, len);
			done += len;
		}
		assert_true(done == DATA_SIZE || done >= wants[i]);
		source_close(source);
	}
}

/* ---- A source that gives nothing until it is stopped ---- */

struct stuck_source {
	struct source source;
	atomic_bool *stop;
};

static int stuck_next(struct source *source, const uint8_t **lent, size_t *len,
		      struct mkrootfs_error *why)
{
	(void)lent;
	(void)len;
	while (!*((struct stuck_source *)source)->stop)
		sched_yield();
	return error_set(why, MKROOTFS_ERROR_CANCELLED, "cancelled");
}

static void stuck_close(struct source *source)
{
	free(source);
}

static void *set_stop(void *user)
{
	*(atomic_bool *)user = true;
	return NULL;
}

static void a_stop_from_outside_ends_a_wait(void **state)
{
	static const struct source_ops ops = { .next = stuck_next, .close = stuck_close };
	struct hooks hooks = { .refused = 0 };
	struct stuck_source *stuck = calloc(1, sizeof(*stuck));
	struct source *source;
	pthread_t thread;
	int status;

	(void)state;
	assert_non_null(stuck);
	source_init(&stuck->source, &ops);
	stuck->stop = &hooks.stop;
	source = ahead(&hooks, &stuck->source, 0);
	assert_int_equal(pthread_create(&thread, NULL, set_stop, &hooks.stop), 0);
	read_and_compare(source, &status);
	assert_int_equal(status, MKROOTFS_ERROR_CANCELLED);
	pthread_join(thread, NULL);
	source_close(source);
}

static void *take_one(void *user)
{
	const uint8_t *lent;
	size_t len;

	assert_int_equal(ring_take(user, &lent, &len, &error), 0);
	assert_int_equal(len, 1);
	return NULL;
}

/* Though who waits is woken for several. */
static void one_buffer_is_taken_while_no_more_comes(void **state)
{
	atomic_bool stop = false;
	pthread_t thread;
	struct ring *ring;

	(void)state;
	assert_int_equal(ring_create(&ring, 6, 16, &stop, &error), 0);
	assert_int_equal(pthread_create(&thread, NULL, take_one, ring), 0);
	while (!ring_is_awaited(ring))
		sched_yield();
	assert_non_null(ring_empty(ring));
	ring_put(ring, 1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	ring_free(ring);
}

static void what_was_dropped_is_told(void **state)
{
	struct hooks hooks = { .refused = 0 };
	/* "hi" by gzip, and bytes behind it that are no gzip. */
	static const uint8_t packed[] = { 0x1f, 0x8b, 8,    0, 0,   0,	  0,	0,    0,
					  3,	0xcb, 0xc8, 4, 0,   0xac, 0x2a, 0x93, 0xd8,
					  2,	0,    0,    0, 'j', 'u',  'n',	'k' };
	struct source *gunzip, *source;
	struct buf all = BUF_INIT(100);

	(void)state;
	assert_int_equal(source_gunzip(&gunzip, chunk_source(packed, sizeof(packed), 3), &error),
			 0);
	source = ahead(&hooks, gunzip, 0);
	assert_int_equal(source_read_all(&all, source, &error), 0);
	assert_int_equal(all.len, 2);
	assert_int_equal(source_dropped(source), 4);
	source_close(source);
	buf_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_bytes_in_all_chunks),
		cmocka_unit_test(short_streams_start_no_thread),
		cmocka_unit_test(a_thread_is_asked_for_until_it_may_begin),
		cmocka_unit_test(an_error_comes_behind_the_bytes_before_it),
		cmocka_unit_test(a_close_in_the_middle_ends_the_thread),
		cmocka_unit_test(nested_streams_end_together),
		cmocka_unit_test(a_stop_from_outside_ends_a_wait),
		cmocka_unit_test(one_buffer_is_taken_while_no_more_comes),
		cmocka_unit_test(what_was_dropped_is_told),
	};

	return cmocka_run_group_tests(tests, make_data, free_data);
}
