/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "grammar.h"
#include "reference_path.h"
#include "url.h"

#include <stdio.h>
#include <string.h>

static const char *const unsupported_transports[] = {
	"atomic:", "containers-storage:", "docker-daemon:", "ostree:", "sif:", "tarball:",
};

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* The unsupported transport that text begins with, or NULL. */
static const char *find_transport(const char *text)
{
	size_t count = sizeof(unsupported_transports) / sizeof(unsupported_transports[0]);

	for (size_t i = 0; i < count; i++)
		if (starts_with(text, unsupported_transports[i]))
			return unsupported_transports[i];
	return NULL;
}

/* ---- Registry images ---- */

static int parse_tag(struct reference *out, const char *text, size_t len,
		     struct mkrootfs_error *error)
{
	if (len == 0)
		return reference_invalid(error, "the tag is empty");
	if (len > REFERENCE_TAG_MAX || !reference_copy(out->tag, sizeof(out->tag), text, len))
		return reference_invalid(error, "the tag has more than 128 characters");
	if (!grammar_is_tag(out->tag))
		return reference_invalid(error,
					 "the tag may hold letters, digits, '_', '.' and '-', and "
					 "must not start with '.' or '-'");
	return 0;
}

static int check_repository(const char *name, bool bare, struct mkrootfs_error *error)
{
	if (bare && grammar_is_image_id(name))
		return reference_invalid(error,
					 "64 hexadecimal digits are an image ID, not a name");
	if (strpbrk(name, GRAMMAR_UPPER))
		return reference_invalid(error, "repository name must be lowercase");
	if (!grammar_is_repository(name))
		return reference_invalid(error,
					 "the repository name must be components of a-z and 0-9, "
					 "with single '.', '_', '__' or '-' inside");
	return 0;
}

static int parse_registry(struct reference *out, const char *text, size_t len,
			  struct mkrootfs_error *error)
{
	char url[sizeof(out->registry) + 8], authority[sizeof(out->registry)];
	bool six = text[0] == '[', fits = reference_copy(authority, sizeof(authority), text, len);
	const char *port = fits ? strrchr(authority, ':') : NULL;
	struct url_origin origin;

	snprintf(url, sizeof(url), "http://%s", fits ? authority : "");
	if (!fits || strpbrk(authority, "?#") || url_origin_parse(&origin, url, error) < 0 ||
	    !(six ? url_is_ipv6(origin.host) : grammar_is_domain(origin.host)))
		return reference_invalid(error,
					 "the registry must be a host name or address with an "
					 "optional port");
	if (port && strchr(port, ']'))
		port = NULL;
	snprintf(out->registry, sizeof(out->registry), six ? "[%s]%s" : "%s%s", origin.host,
		 port ? port : "");
	return 0;
}

/* Old and new names of Docker Hub's registry are one registry. */
static void unify_docker_hub(struct reference *out)
{
	static const char hub[] = "docker.io";

	if (!strcmp(out->registry, "index.docker.io") ||
	    !strcmp(out->registry, "registry-1.docker.io") || !out->registry[0])
		strcpy(out->registry, hub);
}

static int parse_name(struct reference *out, const char *text, size_t len,
		      struct mkrootfs_error *error)
{
	const char *slash = memchr(text, '/', len), *rest = text, *prefix = "";
	int used;

	if (slash && grammar_is_host(text, (size_t)(slash - text))) {
		rest = slash + 1;
		if (parse_registry(out, text, (size_t)(slash - text), error) < 0)
			return error->status;
	}
	len -= (size_t)(rest - text);
	unify_docker_hub(out);
	if (!strcmp(out->registry, "docker.io") && !memchr(rest, '/', len))
		prefix = "library/";
	if (len + strlen(prefix) > REFERENCE_REPOSITORY_MAX)
		return reference_invalid(error, "the repository name has more than 255 characters");
	used = snprintf(out->repository, sizeof(out->repository), "%s%.*s", prefix, (int)len, rest);
	if (used < 0 || (size_t)used != len + strlen(prefix))
		return reference_invalid(error, "the repository name has more than 255 characters");
	return check_repository(out->repository + strlen(prefix), rest == text, error);
}

/* A host "dir:5000" keeps its docker://, so that the text means the same when it is read again. */
static void format_registry(struct reference *out)
{
	bool ambiguous = reference_path_kind(out->registry) || find_transport(out->registry);
	char digest[DIGEST_TEXT_SIZE] = "";

	if (out->has_digest)
		digest_format(digest, &out->digest);
	snprintf(out->text, sizeof(out->text), "%s%s/%s%s%s%s%s", ambiguous ? "docker://" : "",
		 out->registry, out->repository, out->tag[0] ? ":" : "", out->tag,
		 digest[0] ? "@" : "", digest);
}

static int parse_image(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	size_t len = strcspn(text, "@");
	const char *slash = memrchr(text, '/', len), *colon = memrchr(text, ':', len);
	int status = text[len] ? reference_parse_digest(out, text + len + 1, error) : 0;

	out->kind = REFERENCE_REGISTRY;
	if (status == 0 && colon && (!slash || colon > slash)) {
		status = parse_tag(out, colon + 1, (size_t)(text + len - colon - 1), error);
		len = (size_t)(colon - text);
	}
	if (status == 0)
		status = parse_name(out, text, len, error);
	if (status < 0)
		return status;
	if (!out->tag[0] && !out->has_digest)
		strcpy(out->tag, "latest");
	format_registry(out);
	return 0;
}

/* ---- Either ---- */

static int refuse_transport(const char *text, struct mkrootfs_error *error)
{
	const char *transport = find_transport(text);

	if (transport)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "the transport '%s' is not supported; an image of that name is "
				 "written docker://%.100s",
				 transport, text);
	if (strstr(text, "://"))
		return reference_invalid(error,
					 "leave out the URL's scheme; only docker:// is known");
	return 0;
}

static int parse(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	int status;

	if (!text[0])
		return reference_invalid(error, "it is empty");
	if (strlen(text) >= REFERENCE_PATH_SIZE)
		return reference_invalid(error, "it is too long");
	if (reference_path_kind(text))
		return reference_path_parse(out, reference_path_kind(text), text, error);
	if (starts_with(text, "docker://"))
		return parse_image(out, text + 9, error);
	status = refuse_transport(text, error);
	return status < 0 ? status : parse_image(out, text, error);
}

int reference_parse(struct reference *out, const char *text, struct mkrootfs_error *error)
{
	memset(out, 0, sizeof(*out));
	if (parse(out, text, error) == 0)
		return 0;
	memset(out, 0, sizeof(*out));
	return error_prefix(error, "image reference '%.200s': ", text);
}
