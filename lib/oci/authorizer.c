/* SPDX-License-Identifier: Apache-2.0 */
#include "authorizer.h"

#include "../base/secret.h"
#include "credentials_advice.h"
#include "head.h"
#include "monotonic.h"
#include "token.h"

#include <pthread.h>
#include <stdio.h>

#define UNWANTED_MAX (64u << 10) /* bytes read of a body that nobody wants */

struct authorizer {
	struct authorizer_options options;
	pthread_mutex_t lock; /* held while a token is fetched: it is wanted by all */
	/* Under the lock: */
	struct credentials credentials;
	bool looked_up;		    /* the credentials */
	bool prepared;		    /* and the challenge was asked for */
	struct challenge challenge; /* that the token is an answer to */
	char *value;		    /* "Bearer ..." or "Basic ...", or NULL */
	int64_t stale_at;	    /* milliseconds of the monotonic clock; 0: never */
};

int authorizer_create(struct authorizer **out, const struct authorizer_options *options,
		      struct mkrootfs_error *error)
{
	struct authorizer *authorizer = calloc(1, sizeof(*authorizer));

	*out = authorizer;
	if (!authorizer)
		return error_no_memory(error);
	authorizer->options = *options;
	pthread_mutex_init(&authorizer->lock, NULL);
	return 0;
}

void authorizer_free(struct authorizer *authorizer)
{
	if (!authorizer)
		return;
	pthread_mutex_destroy(&authorizer->lock);
	credentials_clear(&authorizer->credentials);
	secret_free(authorizer->value);
	free(authorizer);
}

/* ---- Answering a challenge ---- */

static void keep_value(struct authorizer *authorizer, char *value, int64_t stale_at)
{
	secret_free(authorizer->value);
	authorizer->value = value;
	authorizer->stale_at = stale_at;
}

static int keep_bearer(struct authorizer *authorizer, const char *token, int64_t stale_at,
		       struct mkrootfs_error *error)
{
	char *value;

	if (asprintf(&value, "Bearer %s", token) < 0)
		return error_no_memory(error);
	keep_value(authorizer, value, stale_at);
	return 0;
}

static int fetch_token(struct authorizer *authorizer, struct mkrootfs_error *error)
{
	const struct authorizer_options *options = &authorizer->options;
	bool known = credentials_known(&authorizer->credentials);
	const struct token_request request = { &authorizer->challenge, options->repository,
					       options->registry,
					       known ? &authorizer->credentials : NULL,
					       options->token_hosts };
	int64_t asked = monotonic_milliseconds();
	struct token token;
	int status = token_fetch(&token, options->client, &request, error);

	if (status == 0)
		status = keep_bearer(authorizer, token.text, asked + (int64_t)token.lifetime * 1000,
				     error);
	token_clear(&token);
	return status;
}

static bool is_value(const struct authorizer *authorizer, const char *value)
{
	return authorizer->value && value && !strcmp(authorizer->value, value);
}

/* What was sent already, and not taken, is not sent again. */
static int answer_by_basic(bool *renewed, struct authorizer *authorizer,
			   struct mkrootfs_error *error)
{
	const struct credentials *credentials = &authorizer->credentials;
	char *value;

	if (!credentials_known(credentials))
		return 0;
	if (!credentials->password || credentials->identity_token)
		return error_set(error, MKROOTFS_ERROR_DENIED,
				 "%s asks for a user name and a password, but '%s' has a token",
				 authorizer->options.name, credentials->source);
	if (credentials_basic(&value, credentials->username, credentials->password, error) < 0)
		return error->status;
	*renewed = !is_value(authorizer, value);
	keep_value(authorizer, value, 0);
	return 0;
}

static int answer_by_registry_token(bool *renewed, struct authorizer *authorizer,
				    struct mkrootfs_error *error)
{
	*renewed = !authorizer->value;
	return *renewed ? keep_bearer(authorizer, authorizer->credentials.registry_token, 0, error)
			: 0;
}

static int answer(bool *renewed, struct authorizer *authorizer, const struct challenge *challenge,
		  struct mkrootfs_error *error)
{
	if (challenge->bearer && authorizer->credentials.registry_token)
		return answer_by_registry_token(renewed, authorizer, error);
	if (!challenge->bearer)
		return challenge->basic ? answer_by_basic(renewed, authorizer, error) : 0;
	authorizer->challenge = *challenge;
	*renewed = fetch_token(authorizer, error) == 0;
	return *renewed ? 0 : error->status;
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

/* ---- Before the first request ---- */

static int answer_first(struct authorizer *authorizer, const struct client_response *response,
			struct mkrootfs_error *error)
{
	struct challenge challenge;
	bool renewed;

	if (response->status != 401 || !response->same_origin)
		return 0;
	if (read_challenge(&challenge, response, error) < 0)
		return error->status;
	return answer(&renewed, authorizer, &challenge, error);
}

static int ask_for_challenge(struct authorizer *authorizer, struct mkrootfs_error *error)
{
	const struct authorizer_options *options = &authorizer->options;
	struct client_response *response;
	struct mkrootfs_error ignored;
	char url[512];
	struct http_request request = { .url = url };
	int status;

	snprintf(url, sizeof(url), "%s/v2/", options->base);
	status = client_get(&response, options->client, &request, error);
	if (status < 0)
		return status;
	status = answer_first(authorizer, response, error);
	/* To its end, so that its connection can carry the next request. */
	source_drain(&response->body, UNWANTED_MAX, &ignored);
	source_close(&response->body);
	return status;
}

static int prepare(struct authorizer *authorizer, struct mkrootfs_error *error)
{
	const struct authorizer_options *options = &authorizer->options;
	struct credentials *credentials = &authorizer->credentials;
	int status = 0;

	if (!authorizer->looked_up) {
		credentials_clear(credentials);
		status = credentials_find(credentials, &options->credentials, options->name,
					  options->repository ? options->repository : "", error);
		authorizer->looked_up = status == 0;
	}
	if (status == 0 && !authorizer->prepared && credentials_known(credentials))
		status = ask_for_challenge(authorizer, error);
	authorizer->prepared |= status == 0;
	return status;
}

/* ---- The header ---- */

static int refresh(struct authorizer *authorizer, struct mkrootfs_error *error)
{
	if (!authorizer->stale_at || monotonic_milliseconds() < authorizer->stale_at)
		return 0;
	return fetch_token(authorizer, error);
}

int authorizer_copy(char **out, struct authorizer *authorizer, struct mkrootfs_error *error)
{
	int status;

	*out = NULL;
	pthread_mutex_lock(&authorizer->lock);
	status = prepare(authorizer, error);
	if (status == 0)
		status = refresh(authorizer, error);
	if (status == 0 && authorizer->value) {
		*out = strdup(authorizer->value);
		status = *out ? 0 : error_no_memory(error);
	}
	pthread_mutex_unlock(&authorizer->lock);
	return status;
}

int authorizer_renew(bool *renewed, struct authorizer *authorizer,
		     const struct client_response *response, const char *used,
		     struct mkrootfs_error *error)
{
	struct challenge challenge;
	int status = 0;

	*renewed = false;
	if (!response->same_origin)
		return 0;
	if (read_challenge(&challenge, response, error) < 0)
		return error->status;
	pthread_mutex_lock(&authorizer->lock);
	/* Another thread got a new one in the meantime. */
	*renewed = authorizer->value && !is_value(authorizer, used);
	if (!*renewed)
		status = answer(renewed, authorizer, &challenge, error);
	pthread_mutex_unlock(&authorizer->lock);
	return status;
}

/* ---- Errors ---- */

int authorizer_explain(struct authorizer *authorizer, struct mkrootfs_error *error)
{
	const struct credentials *credentials = &authorizer->credentials;

	pthread_mutex_lock(&authorizer->lock);
	credentials_redact(error, credentials);
	secret_redact(error->message, authorizer->value ? strchr(authorizer->value, ' ') : NULL);
	if (error->status == MKROOTFS_ERROR_DENIED && authorizer->looked_up && !error->advice[0])
		credentials_advise(error, credentials, authorizer->options.name);
	pthread_mutex_unlock(&authorizer->lock);
	return error->status;
}
