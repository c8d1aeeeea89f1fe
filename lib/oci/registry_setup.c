/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_parts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Docker Hub's registry has another name than its images. */
static const char *server_of(const struct reference *reference)
{
	return strcmp(reference->registry, "docker.io") ? reference->registry
							: "registry-1.docker.io";
}

/* Those of the system stay trusted beside those that are given. */
static int load_files(struct registry *registry, const struct mkrootfs_registry_options *settings,
		      struct mkrootfs_error *error)
{
	struct tls_files *files = &registry->files;
	int status = tls_files_load(files, settings->ca_cert, settings->cert_dir, error);

	if (status == 0 && files->authorities.len > 0)
		status = http_system_authorities(&files->authorities, error);
	return status;
}

static unsigned retry_limit(const struct mkrootfs_registry_options *settings)
{
	if (settings->retries == 0)
		return RETRY_DEFAULT_LIMIT;
	return settings->retries < 0 ? 0 : (unsigned)settings->retries;
}

/* So that processes that one failure hit at once do not come back at once. */
static uint64_t clock_seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int create_client(struct registry *registry, const struct registry_options *options,
			 struct mkrootfs_error *error)
{
	const struct mkrootfs_registry_options *settings = &options->settings;
	const struct client_options client = {
		.http = { .authorities = &registry->files.authorities,
			  .certificate = registry->files.certificate,
			  .key = registry->files.key,
			  .insecure = settings->insecure_tls != 0,
			  .connect_timeout = settings->connect_timeout,
			  .idle_timeout = settings->idle_timeout,
			  .wait = options->wait,
			  .wait_user = options->wait_user },
		.plain_http = settings->plain_http != 0,
		.retry = { .limit = retry_limit(settings),
			   .delay = options->retry_delay,
			   .seed = options->seed ? options->seed : clock_seed(),
			   .tick = options->wait,
			   .tick_user = options->wait_user,
			   .tell = options->warn,
			   .tell_user = options->warn_user },
	};

	return client_create(&registry->client, &client, error);
}

static int create_authorizer(struct registry *registry, const struct registry_options *options,
			     const char *repository, struct mkrootfs_error *error)
{
	const struct mkrootfs_registry_options *settings = &options->settings;
	const struct authorizer_options authorizer = {
		.client = registry->client,
		.registry = &registry->endpoint.origin,
		.base = registry->endpoint.base,
		.name = registry->reference.registry,
		.repository = repository,
		.token_hosts = settings->token_hosts,
		.credentials = { .username = settings->username,
				 .password = settings->password,
				 .files = settings->auth_files,
				 .helpers = { .wait = options->wait,
					      .wait_user = options->wait_user } },
	};

	return authorizer_create(&registry->authorizer, &authorizer, error);
}

static void warn_of_no_checks(const struct registry *registry,
			      const struct registry_options *options)
{
	char text[512];

	if (!options->settings.insecure_tls || options->settings.plain_http || !options->warn)
		return;
	snprintf(text, sizeof(text),
		 "the certificates of %s are not checked: whoever is in between can read and "
		 "change what is sent",
		 registry->reference.registry);
	options->warn(options->warn_user, text);
}

int registry_set_up(struct registry *registry, const struct registry_options *options,
		    const char *repository, struct mkrootfs_error *error)
{
	int status = endpoint_init(&registry->endpoint, server_of(&registry->reference),
				   &options->settings, error);

	if (status == 0)
		status = load_files(registry, &options->settings, error);
	if (status == 0)
		status = create_client(registry, options, error);
	if (status == 0)
		status = create_authorizer(registry, options, repository, error);
	if (status == 0)
		warn_of_no_checks(registry, options);
	return status;
}
