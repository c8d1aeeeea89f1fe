/* SPDX-License-Identifier: Apache-2.0 */
/* The library itself. Its public functions stand in api_*.c, by what they are about. */
#include <mkrootfs.h>

const char *mkrootfs_version(void)
{
	return MKROOTFS_VERSION;
}

const char *mkrootfs_status_name(int status)
{
	static const char *const names[] = {
		"ok",
		"invalid argument",
		"system error",
		"no space",
		"malformed input",
		"wrong digest",
		"not found",
		"network error",
		"denied",
		"limit exceeded",
		"unsupported",
		"cancelled",
		"out of memory",
		"no such platform",
		"TLS error",
		"name not found",
		"rate limited",
	};
	const int count = sizeof(names) / sizeof(names[0]);

	return status <= 0 && status > -count ? names[-status] : "unknown status";
}
