/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries of others that are loaded when they are first needed. To map and relocate libcurl and
 * the thirty libraries behind it takes ten times as long as all else that a command without network
 * does.
 *
 *	struct crypto { __typeof__(EVP_sha256) *sha256; ... };		function pointers alone
 *	static const char *const names[] = { "EVP_sha256", ..., NULL };	in the same order
 *	static const struct library libcrypto = { "libcrypto.so.3", names, "advice" };
 *	library_load(&crypto, &libcrypto, error);
 *	LIBRARY_NOTE("libcrypto.so.3", "digests", "what it is for", "required");
 *
 * A library that was loaded once stays, as one does that the program was linked with: another load
 * only looks names up, which takes a few microseconds. Any thread may load.
 */
#ifndef MKROOTFS_BASE_LIBRARY_H
#define MKROOTFS_BASE_LIBRARY_H

#include "error.h"

struct library {
	const char *soname;
	const char *const *names; /* of functions, ended by NULL */
	const char *advice;	  /* what a user can do when it is missing */
};

/* Fills the struct of function pointers behind table. UNSUPPORTED: no such library, or function. */
int library_load(void *table, const struct library *library, struct mkrootfs_error *error);

/*
 * Tells tools that make packages of a library that the program loads: a note in the ELF file, as
 * https://systemd.io/ELF_DLOPEN_METADATA describes it. All arguments are string literals; once a
 * file. "readelf -p .note.dlopen" shows it.
 */
#define LIBRARY_NOTE(soname, feature, description, priority)                   \
	LIBRARY_NOTE_OF("[{\"soname\":[\"" soname "\"],\"feature\":\"" feature \
			"\",\"description\":\"" description "\",\"priority\":\"" priority "\"}]")
#define LIBRARY_NOTE_OF(json)                                                         \
	static const struct {                                                         \
		uint32_t name_size, text_size, type;                                  \
		char name[4];                                                         \
		_Alignas(4) char text[sizeof(json)];                                  \
	} library_note __attribute__((used, aligned(4), section(".note.dlopen"))) = { \
		4, sizeof(json), 0x407c0c0a, "FDO", json                              \
	}

#endif
