/* SPDX-License-Identifier: Apache-2.0 */
#include "exit_code.h"

#include <signal.h>

#include <mkrootfs.h>

int exit_code_of(int status)
{
	switch (status) {
	case MKROOTFS_OK:
		return EXIT_CODE_OK;
	case MKROOTFS_ERROR_INVALID:
		return EXIT_CODE_USAGE;
	case MKROOTFS_ERROR_NOT_FOUND:
		return EXIT_CODE_NOT_FOUND;
	case MKROOTFS_ERROR_NETWORK:
		return EXIT_CODE_NETWORK;
	case MKROOTFS_ERROR_DENIED:
		return EXIT_CODE_DENIED;
	case MKROOTFS_ERROR_MALFORMED:
	case MKROOTFS_ERROR_DIGEST:
	case MKROOTFS_ERROR_LIMIT:
		return EXIT_CODE_BAD_INPUT;
	case MKROOTFS_ERROR_NO_SPACE:
		return EXIT_CODE_NO_SPACE;
	case MKROOTFS_ERROR_UNSUPPORTED:
		return EXIT_CODE_UNSUPPORTED;
	case MKROOTFS_ERROR_CANCELLED:
		return EXIT_CODE_SIGNAL + SIGINT;
	default:
		return EXIT_CODE_FAILED;
	}
}
