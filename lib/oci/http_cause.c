/* SPDX-License-Identifier: Apache-2.0 */
#include "http_cause.h"

#include <netdb.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#define PROXY_ADVICE "check the network; a proxy is set by https_proxy"

static bool says(const struct http_cause *cause, const char *words)
{
	return strstr(cause->detail, words) != NULL;
}

static void set(struct mkrootfs_error *error, int status, const struct http_cause *cause)
{
	error_set(error, status, "%s: %s", cause->host, cause->detail);
}

static unsigned name_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	int code = getaddrinfo(cause->host, NULL, &hints, &found);

	if (code == 0)
		freeaddrinfo(found);
	if (code == 0 || code == EAI_AGAIN) {
		error_set(error, MKROOTFS_ERROR_NAME, "%s: the name server does not answer",
			  cause->host);
		error_advise(error, "check the network and the name servers of this machine");
		return HTTP_MAY_PASS;
	}
	error_set(error, MKROOTFS_ERROR_NAME, "%s: there is no host of that name", cause->host);
	error_advise(error, "check how the registry's name is written");
	return 0;
}

static unsigned connect_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	if (cause->os_errno)
		error_set(error, MKROOTFS_ERROR_NETWORK, "%s: %s (%s)", cause->host, cause->detail,
			  strerror(cause->os_errno));
	else
		set(error, MKROOTFS_ERROR_NETWORK, cause);
	error_advise(error,
		     "check that the registry runs at port %u and can be reached from here; "
		     "a proxy is set by https_proxy",
		     cause->port);
	return HTTP_MAY_PASS | HTTP_REFUSED;
}

/* The words of OpenSSL, GnuTLS and the like for an end without TLS's own farewell. */
static bool ended_without_word(const struct http_cause *cause)
{
	return says(cause, "SSL_ERROR_SYSCALL") || says(cause, "reset by peer") ||
	       says(cause, "Broken pipe") || says(cause, "unexpected eof") ||
	       says(cause, "non-properly terminated") || says(cause, "Empty reply");
}

static unsigned alert_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	set(error, MKROOTFS_ERROR_TLS, cause);
	error_advise(error, "the server refuses the connection; "
			    "if it wants a client certificate, give it by --cert-dir DIR");
	return 0;
}

/* An alert is TLS. What ends without a word may be a server of another protocol, or a cut line. */
static unsigned handshake_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	if (says(cause, "alert"))
		return alert_error(cause, error);
	error_set(error, MKROOTFS_ERROR_TLS, "%s: port %u gives no answer of TLS: %s", cause->host,
		  cause->port, cause->detail);
	error_advise(error, "a registry without HTTPS is asked by --plain-http");
	return HTTP_NO_TLS | (ended_without_word(cause) ? HTTP_MAY_PASS : 0);
}

static unsigned broken_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	if (says(cause, "alert"))
		return alert_error(cause, error);
	set(error, MKROOTFS_ERROR_NETWORK, cause);
	error_advise(error, "check the network and try again");
	return HTTP_MAY_PASS;
}

/* A server that got no client's certificate may hang up before its alert is read. */
static unsigned unanswered_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	unsigned failure = broken_error(cause, error);

	if (error->status == MKROOTFS_ERROR_NETWORK)
		error_advise(error, "check the network; if the server wants a client certificate, "
				    "give it by --cert-dir DIR");
	return failure;
}

static unsigned certificate_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	set(error, MKROOTFS_ERROR_TLS, cause);
	error_advise(error, "give the registry's authority by --ca-cert FILE, "
			    "or have nothing checked by --tls-verify=false");
	return 0;
}

static unsigned authorities_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	error_set(error, MKROOTFS_ERROR_TLS, "%s: the system's authorities: %s", cause->host,
		  cause->detail);
	error_advise(error, "install them (the package is ca-certificates), "
			    "or give the registry's by --ca-cert FILE");
	return 0;
}

/* A proxy answered, and the way to the registry is closed: what libcurl says has the status. */
static unsigned tunnel_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	bool user = says(cause, "response 407");

	error_set(error, user ? MKROOTFS_ERROR_DENIED : MKROOTFS_ERROR_NETWORK,
		  "%s: the proxy refuses: %s", cause->host, cause->detail);
	error_advise(error, user ? HTTP_PROXY_USER_ADVICE
				 : "check the variables https_proxy and no_proxy");
	return 0;
}

unsigned http_cause_error(const struct http_cause *cause, struct mkrootfs_error *error)
{
	switch (cause->kind) {
	case HTTP_CAUSE_NAME:
		return name_error(cause, error);
	case HTTP_CAUSE_CONNECT:
		return connect_error(cause, error);
	case HTTP_CAUSE_TIMEOUT:
		set(error, MKROOTFS_ERROR_NETWORK, cause);
		error_advise(error, PROXY_ADVICE);
		return HTTP_MAY_PASS;
	case HTTP_CAUSE_BROKEN:
		if (says(cause, "CONNECT tunnel failed"))
			return tunnel_error(cause, error);
		return broken_error(cause, error);
	case HTTP_CAUSE_UNANSWERED:
		if (says(cause, "CONNECT tunnel failed"))
			return tunnel_error(cause, error);
		return unanswered_error(cause, error);
	case HTTP_CAUSE_HANDSHAKE:
		return handshake_error(cause, error);
	case HTTP_CAUSE_CERTIFICATE:
		return certificate_error(cause, error);
	case HTTP_CAUSE_FILES:
		error_set(error, MKROOTFS_ERROR_INVALID, "%s: certificates: %s", cause->host,
			  cause->detail);
		return 0;
	case HTTP_CAUSE_NO_SYSTEM:
		return authorities_error(cause, error);
	case HTTP_CAUSE_PROXY_NAME:
		set(error, MKROOTFS_ERROR_NAME, cause);
		error_advise(error, "check the variables https_proxy and http_proxy");
		return 0;
	default:
		set(error, MKROOTFS_ERROR_NETWORK, cause);
		return 0;
	}
}
