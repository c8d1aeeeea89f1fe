/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pull streams that lend their bytes. Sources nest: a wrapper takes its inner source on success
 * only, and closes it with itself.
 *
 *	source_file(&s, path, error);
 *	source_gunzip(&g, s, error);
 *	while ((status = source_next(g, &data, &len, error)) == 0 && len > 0)
 *		use(data, len);
 *	source_close(g);
 */
#ifndef MKROOTFS_IO_SOURCE_H
#define MKROOTFS_IO_SOURCE_H

#include "../base/buf.h"
#include "../base/digest.h"

#include <stdatomic.h>

struct ring;
struct source;

struct source_ops {
	/*
	 * Lends the next bytes, valid until the next call or close; *len 0 is the end. After the
	 * end or an error it is not called again.
	 */
	int (*next)(struct source *source, const uint8_t **data, size_t *len,
		    struct mkrootfs_error *error);
	void (*close)(struct source *source);
	/* For source_dropped; NULL: what is passed through says it, or nothing is dropped. */
	uint64_t (*dropped)(const struct source *source);
	/* For source_skip; NULL: there is no way but reading. */
	uint64_t (*skip)(struct source *source, uint64_t len);
};

/* First member of every kind of source. */
struct source {
	const struct source_ops *ops;
	struct source *passed; /* a wrapper's inner source, whose bytes it lends as they are */
	uint8_t *room;	       /* see source_place; NULL: none */
	size_t room_size;
	bool ended;
	bool failed;
	struct mkrootfs_error
		*failure; /* the first error, where memory allowed to keep it; owned */
};

/* Sets up the common part of a new source, or of a wrapper that lends what passed lends. */
void source_init(struct source *source, const struct source_ops *ops);
void source_init_passing(struct source *source, const struct source_ops *ops,
			 struct source *passed);
/*
 * Offers size bytes, at least 1, of memory to the next call of source_next: a kind that makes its
 * bytes or reads them may put them there and lend them from there. That saves who wants them there
 * a copy; whether it was done is seen by where the lent bytes are.
 */
void source_place(struct source *source, uint8_t *room, size_t size);
/* Keeps lending the end after the end, and the first error after an error. */
int source_next(struct source *source, const uint8_t **data, size_t *len,
		struct mkrootfs_error *error);
/*
 * Passes over up to len bytes that follow what was lent, without reading them, and returns their
 * number: 0 where that cannot be done, or at the end.
 */
uint64_t source_skip(struct source *source, uint64_t len);
/* NULL is allowed. */
void source_close(struct source *source);

/* Appends all that is left to out, whose cap bounds it. */
int source_read_all(struct buf *out, struct source *source, struct mkrootfs_error *error);
/*
 * Bytes behind the end of compressed data that a decompressor in this chain read and dropped. Known
 * once the end was lent; zeros up to the end are padding and do not count.
 */
uint64_t source_dropped(const struct source *source);
/* Reads to the end so that verifiers speak. Fails with LIMIT past cap bytes. */
int source_drain(struct source *source, uint64_t cap, struct mkrootfs_error *error);

/* ---- Kinds. Each fills *out, NULL on failure. ---- */

/* Bytes in memory; borrowed until close. */
int source_memory(struct source **out, const void *data, size_t len, struct mkrootfs_error *error);
/* A regular file from its start. */
int source_file(struct source **out, const char *path, struct mkrootfs_error *error);
/* An open file descriptor from its current position (a pipe is fine); taken on success. */
int source_fd(struct source **out, int fd, struct mkrootfs_error *error);
/*
 * A pipe, or whatever else must be waited for, from its current position; taken on success. wait,
 * when not NULL, is called now and then while nothing comes; its non-zero result cancels.
 */
int source_pipe(struct source **out, int fd, int (*wait)(void *user), void *user,
		struct mkrootfs_error *error);
/*
 * A range of a file that is open for reading and must hold it; fd is borrowed, and its position not
 * used. It can skip.
 */
int source_range(struct source **out, int fd, uint64_t offset, uint64_t len,
		 struct mkrootfs_error *error);
/* What follows the first offset bytes of inner, which are read and dropped. */
int source_tail(struct source **out, struct source *inner, uint64_t offset,
		struct mkrootfs_error *error);
/*
 * A caller's read function; user must outlive the source. EINTR is tried again, ECANCELED becomes
 * MKROOTFS_ERROR_CANCELLED.
 */
int source_callback(struct source **out, mkrootfs_read_fn read, void *user,
		    struct mkrootfs_error *error);

/*
 * A stream of which a file has the beginning, and takes the rest: lends the first kept bytes of fd,
 * then those of rest, which it also puts behind them. A write that fails fails nothing: the file is
 * emptied, and the stream goes on. So it is where the first MiB of rest come so fast that the whole
 * stream, of size bytes (0: unknown), can be had again in two seconds: then it costs more to keep
 * it. fd, open for reading and writing, stays the caller's.
 */
int source_kept(struct source **out, int fd, uint64_t kept, struct source *rest, uint64_t size,
		struct mkrootfs_error *error);

/*
 * Passes bytes through and checks them against digest and size (either may be absent: NULL, -1) at
 * the end: a mismatch, naming what and both values, comes from next in the place of the end. Bytes
 * past the expected size fail at once. actual, when not NULL, takes the digest at the end.
 */
struct source_check {
	const struct digest *expected;	 /* copied */
	int64_t size;			 /* bytes, or -1 */
	const char *what;		 /* "blob", "diff ID"; static */
	enum digest_algorithm algorithm; /* used when expected is NULL; 0: sha256 */
	struct digest *actual;		 /* must outlive the source */
};
int source_verify(struct source **out, struct source *inner, const struct source_check *check,
		  struct mkrootfs_error *error);

/*
 * Passes bytes through, fails with LIMIT past cap bytes (UINT64_MAX: none) and tells progress, at
 * most every 64 KiB and at the end, to a function whose non-zero result cancels. what is static;
 * progress may be NULL.
 */
typedef int (*source_progress_fn)(void *user, uint64_t done);
int source_meter(struct source **out, struct source *inner, uint64_t cap, const char *what,
		 source_progress_fn progress, void *user, struct mkrootfs_error *error);
/*
 * Passes bytes through, and tells progress as source_meter does, but of a meter further in: that
 * may be in another thread, the progress function is called in this one.
 */
int source_progress(struct source **out, struct source *inner, const struct source *meter,
		    source_progress_fn progress, void *user, struct mkrootfs_error *error);
/* Bytes that passed a source made by source_meter; may be asked by another thread. */
uint64_t source_meter_done(const struct source *meter);

/*
 * Passes unpacked bytes through, and fails with LIMIT when they are more than ratio times those
 * that passed packed, a meter further in. The first free bytes are not looked at: a few zeros pack
 * to nearly nothing. what is static.
 */
struct source_ratio {
	const struct source *packed; /* a source_meter, which inner holds */
	uint32_t ratio;
	uint64_t free;
	const char *what;
};
int source_ratio(struct source **out, struct source *inner, const struct source_ratio *rule,
		 struct mkrootfs_error *error);

/* Adds to *spent, which must outlive it, the nanoseconds that inner takes. */
int source_clock(struct source **out, struct source *inner, uint64_t *spent,
		 struct mkrootfs_error *error);

/*
 * Passes bytes through, and has inner read ahead by a thread of its own once that is worth a
 * thread: reading and using go on at the same time. The bytes, and an error behind them, are those
 * of inner. From the thread's start until the close only that thread calls inner, so a progress
 * function in it is called there. Where no thread can be had the stream goes on without.
 */
struct source_ahead {
	uint64_t direct; /* bytes lent without a thread, before and between the asking for one */
	/*
	 * Set when the stream is closed before its end; whoever sets it ends its waits. It may be
	 * that of several streams, one inside the other. It must outlive them.
	 */
	atomic_bool *stop;
	/* Takes the nanoseconds that either side waited, at the close; may be NULL. */
	_Atomic uint64_t *waited;
	/* Each may be NULL, all get user: may there be a thread now? After a yes, none could be
	 * had. */
	bool (*begin)(void *user);
	void (*unused)(void *user);
	/* By the thread, first and last. */
	void (*enter)(void *user);
	void (*leave)(void *user);
	void *user;
};
int source_ahead(struct source **out, struct source *inner, const struct source_ahead *options,
		 struct mkrootfs_error *error);

/*
 * The bytes of rest, of which the first size, or all, are read at once: who made it can tell a
 * short stream by rest->ended. Takes rest on success; a failure of its first bytes comes from next.
 */
int source_front(struct source **out, struct source *rest, size_t size,
		 struct mkrootfs_error *error);

/* What a ring of ring.h gives, which is borrowed; its consumer leaves with the close. */
int source_ring(struct source **out, struct ring *ring, struct mkrootfs_error *error);

/*
 * gzip (RFC 1952): all members; what follows the last is read and dropped, see source_dropped.
 * Inflated by ISA-L where the build has it, by zlib elsewhere.
 */
int source_gunzip(struct source **out, struct source *inner, struct mkrootfs_error *error);
/*
 * zstd (RFC 8878): all frames, skippable ones skipped, windows up to 128 MiB. What follows the last
 * frame is read and dropped.
 */
int source_zstd(struct source **out, struct source *inner, struct mkrootfs_error *error);

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };
/*
 * Chooses by the first bytes: gzip, zstd (also a skippable frame first), else as it is. Other
 * compressions that have a magic (xz, bzip2, lz4, lzip) fail with UNSUPPORTED by name, unless the
 * same bytes begin a tar. An empty stream is COMPRESSION_NONE. found may be NULL.
 */
int source_decompress(struct source **out, enum compression *found, struct source *inner,
		      struct mkrootfs_error *error);

/*
 * Decompresses packed, within limits: the file as a whole, in one call. Takes packed in any case.
 * progress is told of packed and of unpacked bytes in turns, so that it serves to cancel only.
 */
struct source_unpacking {
	const char *what;  /* for messages; static */
	uint64_t max_size; /* unpacked bytes */
	uint32_t ratio;	   /* see struct source_ratio */
	uint64_t ratio_free;
	source_progress_fn progress; /* may be NULL */
	void *user;
};
int source_unpack(struct source **out, struct source *packed, const struct source_unpacking *rule,
		  struct mkrootfs_error *error);

#endif
