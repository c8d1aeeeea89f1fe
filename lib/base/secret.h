/* SPDX-License-Identifier: Apache-2.0 */
/* Passwords and tokens: overwritten when they are not needed any more. */
#ifndef MKROOTFS_BASE_SECRET_H
#define MKROOTFS_BASE_SECRET_H

#include <stdlib.h>
#include <string.h>

/*
 * Overwrites with '*' where a message quotes a secret (NULL: none), also where it was cut within a
 * long one. Very short ones are left: words would be taken for them.
 */
void secret_redact(char *message, const char *secret);

/* Overwrites and frees a string; NULL is allowed. */
static inline void secret_free(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

#endif
