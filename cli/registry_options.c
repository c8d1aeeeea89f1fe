/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_options.h"

#include <string.h>

#include "number.h"

#define MAX_RETRIES 1000
#define MAX_SECONDS 86400

/* The spellings that skopeo and podman take. */
static int read_bool(bool *out, const char *text)
{
	static const char *const yes[] = { "true", "1", "t", "T", "TRUE", "True" };
	static const char *const no[] = { "false", "0", "f", "F", "FALSE", "False" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		*out = !strcmp(text, yes[i]);
		if (*out || !strcmp(text, no[i]))
			return 0;
	}
	return -1;
}

static int read_verify(struct mkrootfs_registry_options *options,
		       const struct invocation *invocation)
{
	const char *text = invocation->arguments.values[OPTION_TLS_VERIFY];
	bool verify = true;

	if (text && read_bool(&verify, text) < 0)
		return usage_error(invocation, "--tls-verify '%s': true or false", text);
	options->insecure_tls = !verify;
	return 0;
}

/* 0, which says the default to the library, is what nobody gave. */
static int read_retries(struct mkrootfs_registry_options *options,
			const struct invocation *invocation)
{
	const char *text = invocation->arguments.values[OPTION_RETRY_TIMES];
	const char *problem;
	uint64_t number;

	if (!text)
		return 0;
	problem = number_parse(&number, text, 0, MAX_RETRIES);
	if (problem)
		return usage_error(invocation, "--retry-times '%s' %s; 0 to %d", text, problem,
				   MAX_RETRIES);
	options->retries = number > 0 ? (int)number : -1;
	return 0;
}

static int read_seconds(unsigned *out, const struct invocation *invocation, enum option_id id,
			const char *name)
{
	const char *text = invocation->arguments.values[id];
	const char *problem;
	uint64_t number;

	if (!text)
		return 0;
	problem = number_parse(&number, text, 1, MAX_SECONDS);
	if (problem)
		return usage_error(invocation, "--%s '%s' %s; 1 to %d seconds", name, text, problem,
				   MAX_SECONDS);
	*out = (unsigned)number;
	return 0;
}

int read_registry_options(struct mkrootfs_registry_options *options,
			  const struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	int code = read_verify(options, invocation);

	options->plain_http = is_given(invocation, OPTION_PLAIN_HTTP);
	options->ca_cert = arguments->values[OPTION_CA_CERT];
	options->cert_dir = arguments->values[OPTION_CERT_DIR];
	if (!code)
		code = read_retries(options, invocation);
	if (!code)
		code = read_seconds(&options->connect_timeout, invocation, OPTION_CONNECT_TIMEOUT,
				    "connect-timeout");
	return code ? code
		    : read_seconds(&options->idle_timeout, invocation, OPTION_IDLE_TIMEOUT,
				   "idle-timeout");
}
