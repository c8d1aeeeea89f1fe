/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a verified layer costs: floor gzip|zstd|tar|inflate|hash BLOB OUT
 *
 * Reads the blob, hashes it, decodes it, hashes what comes out and writes it, in one process and
 * one thread, with the libraries and the sizes of buffers that are best here: ISA-L, libzstd,
 * libcrypto, 256 KiB. A tar is hashed once, since blob and content are the same. Prints seconds of
 * the processor by stage, then bytes and digests. Nothing is parsed or checked, and nothing is
 * synced.
 */
#include <errno.h>
#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#define PIECE (256u << 10)

enum stage { READING, BLOB_HASH, DECODING, TAR_HASH, WRITING, STAGES };
static const char *const stage_names[STAGES] = { "read", "blob-sha256", "decode", "tar-sha256",
						 "write" };

struct work;

struct kind {
	const char *name;
	int hash_blob, hash_tar, write;
	void (*run)(struct work *work);
};

struct work {
	const struct kind *kind;
	double seconds[STAGES];
	EVP_MD_CTX *blob_hash, *tar_hash;
	int in, out, ended;
	uint64_t blob_len, tar_len;
	uint8_t blob[PIECE], tar[PIECE];
};

static void fail(const char *what)
{
	fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static EVP_MD_CTX *hash_start(void)
{
	EVP_MD_CTX *hash = EVP_MD_CTX_new();

	if (!hash || !EVP_DigestInit_ex(hash, EVP_sha256(), NULL))
		fail("SHA-256");
	return hash;
}

static void hash_print(const char *name, EVP_MD_CTX *hash)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned len;

	EVP_DigestFinal_ex(hash, digest, &len);
	EVP_MD_CTX_free(hash);
	printf("%s ", name);
	for (unsigned i = 0; i < len; i++)
		printf("%02x", digest[i]);
	printf("\n");
}

/* The next piece of the blob, hashed; 0 is its end. */
static size_t next_blob(struct work *work)
{
	double start = now(), middle;
	ssize_t got = read(work->in, work->blob, PIECE);

	if (got < 0)
		fail("reading");
	middle = now();
	if (work->kind->hash_blob)
		EVP_DigestUpdate(work->blob_hash, work->blob, (size_t)got);
	work->seconds[READING] += middle - start;
	work->seconds[BLOB_HASH] += now() - middle;
	work->blob_len += (uint64_t)got;
	return (size_t)got;
}

static void write_tar(struct work *work, const uint8_t *data, size_t len)
{
	double start = now();

	for (size_t done = 0; work->kind->write && done < len;) {
		ssize_t put =
			pwrite(work->out, data + done, len - done, (off_t)(work->tar_len + done));
		if (put <= 0)
			fail("writing");
		done += (size_t)put;
	}
	work->seconds[WRITING] += now() - start;
	work->tar_len += len;
}

static void take_tar(struct work *work, const uint8_t *data, size_t len)
{
	double start = now();

	if (work->kind->hash_tar)
		EVP_DigestUpdate(work->tar_hash, data, len);
	work->seconds[TAR_HASH] += now() - start;
	write_tar(work, data, len);
}

static void run_tar(struct work *work)
{
	for (size_t len; (len = next_blob(work)) > 0;)
		write_tar(work, work->blob, len);
}

/* The members of a gzip file, with their checksums, which ISA-L compares. */
static void run_gzip(struct work *work)
{
	static struct inflate_state inflate;

	isal_inflate_init(&inflate);
	inflate.crc_flag = ISAL_GZIP;
	for (;;) {
		double start;
		int result;

		if (inflate.avail_in == 0) {
			inflate.next_in = work->blob;
			inflate.avail_in = (uint32_t)next_blob(work);
			if (inflate.avail_in == 0)
				break;
		}
		if (inflate.block_state == ISAL_BLOCK_FINISH) {
			isal_inflate_reset(&inflate);
			inflate.crc_flag = ISAL_GZIP;
		}
		inflate.next_out = work->tar;
		inflate.avail_out = PIECE;
		start = now();
		result = isal_inflate(&inflate);
		work->seconds[DECODING] += now() - start;
		if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT)
			fail("gzip");
		take_tar(work, work->tar, PIECE - inflate.avail_out);
		work->ended = inflate.block_state == ISAL_BLOCK_FINISH;
	}
	/* What is left in the state's own buffer of output. */
	while (!work->ended) {
		inflate.next_out = work->tar;
		inflate.avail_out = PIECE;
		if (isal_inflate(&inflate) != ISAL_DECOMP_OK || inflate.avail_out == PIECE)
			fail("the end of gzip");
		take_tar(work, work->tar, PIECE - inflate.avail_out);
		work->ended = inflate.block_state == ISAL_BLOCK_FINISH;
	}
}

static void run_zstd(struct work *work)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	size_t left = 1, len;

	while (stream && (len = next_blob(work)) > 0) {
		ZSTD_inBuffer in = { work->blob, len, 0 };
		ZSTD_outBuffer out = { work->tar, PIECE, 0 };

		do {
			double start = now();

			out.pos = 0;
			left = ZSTD_decompressStream(stream, &out, &in);
			work->seconds[DECODING] += now() - start;
			if (ZSTD_isError(left))
				fail("zstd");
			take_tar(work, work->tar, out.pos);
		} while (in.pos < in.size || out.pos == out.size);
	}
	if (left != 0)
		fail("the end of zstd");
	ZSTD_freeDStream(stream);
}

static const struct kind kinds[] = {
	{ "gzip", 1, 1, 1, run_gzip }, { "zstd", 1, 1, 1, run_zstd },
	{ "tar", 1, 0, 1, run_tar },   { "inflate", 0, 0, 0, run_gzip },
	{ "hash", 1, 0, 0, run_tar },
};

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(name, kinds[i].name))
			return &kinds[i];
	}
	return NULL;
}

static void print_result(struct work *work)
{
	for (int i = 0; i < STAGES; i++)
		printf("%s %.6f\n", stage_names[i], work->seconds[i]);
	printf("blob-bytes %llu\ntar-bytes %llu\n", (unsigned long long)work->blob_len,
	       (unsigned long long)work->tar_len);
	if (work->kind->hash_blob)
		hash_print("blob", work->blob_hash);
	if (work->kind->hash_tar)
		hash_print("tar", work->tar_hash);
}

int main(int argc, char **argv)
{
	static struct work work;

	work.kind = argc == 4 ? find_kind(argv[1]) : NULL;
	if (!work.kind) {
		fprintf(stderr, "usage: floor gzip|zstd|tar|inflate|hash BLOB OUT\n");
		return 2;
	}
	work.in = open(argv[2], O_RDONLY | O_CLOEXEC);
	work.out = open(argv[3], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (work.in < 0 || work.out < 0)
		fail("opening");
	work.blob_hash = hash_start();
	work.tar_hash = hash_start();
	work.kind->run(&work);
	print_result(&work);
	return close(work.out) == 0 ? 0 : 1;
}
