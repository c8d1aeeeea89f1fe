/* SPDX-License-Identifier: Apache-2.0 */
#include "authorizer.h"

#include "head.h"
#include "token.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct authorizer {
	struct client *client;
	const struct url_origin *registry;
	const char *repository;
	pthread_mutex_t lock;
	char *value; /* "Bearer ...", or NULL; under lock */
};

int authorizer_create(struct authorizer **out, struct client *client,
		      const struct url_origin *registry, const char *repository,
		      struct mkrootfs_error *error)
{
	struct authorizer *authorizer = calloc(1, sizeof(*authorizer));

	*out = authorizer;
	if (!authorizer)
		return error_no_memory(error);
	authorizer->client = client;
	authorizer->registry = registry;
	authorizer->repository = repository;
	pthread_mutex_init(&authorizer->lock, NULL);
	return 0;
}

void authorizer_free(struct authorizer *authorizer)
{
	if (!authorizer)
		return;
	pthread_mutex_destroy(&authorizer->lock);
	free(authorizer->value);
	free(authorizer);
}

int authorizer_copy(char **out, struct authorizer *authorizer, struct mkrootfs_error *error)
{
	bool failed;

	pthread_mutex_lock(&authorizer->lock);
	*out = authorizer->value ? strdup(authorizer->value) : NULL;
	failed = authorizer->value && !*out;
	pthread_mutex_unlock(&authorizer->lock);
	return failed ? error_no_memory(error) : 0;
}

static int keep_token(struct authorizer *authorizer, const char *token,
		      struct mkrootfs_error *error)
{
	char *value;

	if (asprintf(&value, "Bearer %s", token) < 0)
		return error_no_memory(error);
	pthread_mutex_lock(&authorizer->lock);
	free(authorizer->value);
	authorizer->value = value;
	pthread_mutex_unlock(&authorizer->lock);
	return 0;
}

static int read_challenge(struct challenge *out, const struct client_response *response,
			  struct mkrootfs_error *error)
{
	struct buf header = BUF_INIT(HEAD_MAX_SIZE);
	int status = client_header(&header, response, "WWW-Authenticate", error);

	if (status == 0)
		status = challenge_parse(out, header.len ? (const char *)header.data : "", error);
	buf_free(&header);
	return status;
}

static int renew_bearer(struct authorizer *authorizer, const struct challenge *challenge,
			struct mkrootfs_error *error)
{
	const struct token_request request = { challenge, authorizer->repository,
					       authorizer->registry };
	char *token;
	int status = token_fetch(&token, authorizer->client, &request, error);

	if (status == 0)
		status = keep_token(authorizer, token, error);
	free(token);
	return status;
}

int authorizer_renew(bool *renewed, struct authorizer *authorizer,
		     const struct client_response *response, struct mkrootfs_error *error)
{
	struct challenge challenge;

	*renewed = false;
	if (!response->same_origin)
		return 0;
	if (read_challenge(&challenge, response, error) < 0)
		return error->status;
	if (!challenge.bearer && challenge.basic)
		return error_set(error, MKROOTFS_ERROR_DENIED,
				 "%s asks for a user name and a password, which are not supported",
				 response->host);
	if (!challenge.bearer)
		return 0;
	if (renew_bearer(authorizer, &challenge, error) < 0)
		return error->status;
	*renewed = true;
	return 0;
}
