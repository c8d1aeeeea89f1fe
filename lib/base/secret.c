/* SPDX-License-Identifier: Apache-2.0 */
#include "secret.h"

#define SHORTEST 6 /* bytes of a secret that is looked for */
#define PART 16	   /* bytes of a secret's start that count as the secret */

void secret_redact(char *message, const char *secret)
{
	size_t len = secret ? strlen(secret) : 0;

	if (len < SHORTEST)
		return;
	for (char *at = message; *at; at++) {
		size_t same = 0;

		while (same < len && at[same] == secret[same])
			same++;
		if (same == len || same >= PART)
			memset(at, '*', same);
	}
}
