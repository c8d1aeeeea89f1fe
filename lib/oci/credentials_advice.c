/* SPDX-License-Identifier: Apache-2.0 */
#include "credentials_advice.h"

#include <stdio.h>
#include <string.h>

static void describe(char *out, size_t size, const struct credentials *credentials)
{
	const char *username = credentials->username ? credentials->username : "";
	const char *source = credentials->source;

	if (!credentials_known(credentials) && credentials->problem)
		snprintf(out, size, "; no credentials are known, since %.300s",
			 credentials->problem);
	else if (!credentials_known(credentials))
		snprintf(out, size, "; no credentials are known for it");
	else if (*username && source)
		snprintf(out, size, "; asked as user '%.100s' of '%.300s'", username, source);
	else if (*username)
		snprintf(out, size, "; asked as user '%.100s'", username);
	else
		snprintf(out, size, "; asked with the token of '%.300s'", source);
}

static void advise(struct mkrootfs_error *error, const char *name,
		   const struct credentials *credentials)
{
	if (credentials_known(credentials) && !credentials->source)
		error_advise(error, "check the user name and the password");
	else if (credentials_known(credentials))
		error_advise(error, "'mkrootfs login %.150s' replaces the credentials for it",
			     name);
	else
		error_advise(error, "'mkrootfs login %.150s' stores credentials for it", name);
}

int credentials_advise(struct mkrootfs_error *error, const struct credentials *credentials,
		       const char *name)
{
	char words[512], message[sizeof(error->message)];

	describe(words, sizeof(words), credentials);
	memcpy(message, error->message, sizeof(message));
	error_set(error, error->status, "%.700s%s", message, words);
	advise(error, name, credentials);
	return error->status;
}
