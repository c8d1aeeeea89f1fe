/* SPDX-License-Identifier: Apache-2.0 */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Entry names and server answers are hostile: no control byte of theirs may reach a terminal. */
static void escape(char *out, size_t size, const char *text)
{
	static const char hex[] = "0123456789abcdef";
	size_t used = 0;

	for (; *text && used + 5 < size; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte >= 0x20 && byte != 0x7f) {
			out[used++] = (char)byte;
			continue;
		}
		out[used++] = '\\';
		out[used++] = 'x';
		out[used++] = hex[byte >> 4];
		out[used++] = hex[byte & 15];
	}
	out[used] = '\0';
}

static int set_message(struct mkrootfs_error *error, int status, int os_errno, const char *text)
{
	error->status = status;
	error->os_errno = os_errno;
	error->advice[0] = '\0';
	escape(error->message, sizeof(error->message), text);
	return status;
}

int error_set(struct mkrootfs_error *error, int status, const char *format, ...)
{
	char text[sizeof(error->message)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return set_message(error, status, 0, text);
}

static int status_of_errno(int os_errno)
{
	switch (os_errno) {
	case ENOSPC:
	case EDQUOT:
		return MKROOTFS_ERROR_NO_SPACE;
	case ENOMEM:
		return MKROOTFS_ERROR_NO_MEMORY;
	case ENOENT:
		return MKROOTFS_ERROR_NOT_FOUND;
	default:
		return MKROOTFS_ERROR_IO;
	}
}

int error_set_errno(struct mkrootfs_error *error, int os_errno, const char *format, ...)
{
	char text[sizeof(error->message)];
	va_list arguments;
	size_t used;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	used = strlen(text);
	snprintf(text + used, sizeof(text) - used, ": %s", strerror(os_errno));
	return set_message(error, status_of_errno(os_errno), os_errno, text);
}

int error_no_memory(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_NO_MEMORY, "out of memory");
}

int error_prefix(struct mkrootfs_error *error, const char *format, ...)
{
	char text[sizeof(error->message)];
	va_list arguments;
	size_t used;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	used = strlen(text);
	snprintf(text + used, sizeof(text) - used, "%s", error->message);
	escape(error->message, sizeof(error->message), text);
	return error->status;
}

int error_advise(struct mkrootfs_error *error, const char *format, ...)
{
	char text[sizeof(error->advice)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	escape(error->advice, sizeof(error->advice), text);
	return error->status;
}
