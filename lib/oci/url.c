/* SPDX-License-Identifier: Apache-2.0 */
#include "url.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Without the query, which may hold a signature that is as good as a password. */
static int refuse(struct mkrootfs_error *error, const char *url, const char *why)
{
	size_t len = strcspn(url, "?#");

	return error_set(error, MKROOTFS_ERROR_MALFORMED, "URL '%.*s': %s",
			 (int)(len < 200 ? len : 200), url, why);
}

static bool has_only_url_bytes(const char *url)
{
	for (; *url; url++)
		if ((unsigned char)*url <= 0x20 || (unsigned char)*url >= 0x7f || *url == '\\')
			return false;
	return true;
}

static const char *after_scheme(bool *https, const char *url)
{
	*https = !strncasecmp(url, "https://", 8);
	if (*https)
		return url + 8;
	return strncasecmp(url, "http://", 7) ? NULL : url + 7;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Copies what of text[0..len) may stand in a host; false for any other byte. */
static bool copy_host(char out[URL_HOST_SIZE], const char *text, size_t len, const char *allowed)
{
	if (len == 0 || len >= URL_HOST_SIZE)
		return false;
	for (size_t i = 0; i < len; i++) {
		out[i] = lower(text[i]);
		if (!strchr(allowed, out[i]))
			return false;
	}
	out[len] = '\0';
	return true;
}

/* The host at the start of authority; *rest is what follows it. */
static bool parse_host(struct url_origin *out, const char *authority, const char **rest)
{
	size_t len;

	if (*authority == '[') {
		len = strcspn(++authority, "]/?#");
		*rest = authority + len + 1;
		return authority[len] == ']' &&
		       copy_host(out->host, authority, len, "0123456789abcdef:.");
	}
	len = strcspn(authority, ":/?#");
	*rest = authority + len;
	return copy_host(out->host, authority, len, "0123456789abcdefghijklmnopqrstuvwxyz-._");
}

static bool parse_port(struct url_origin *out, const char *text, const char **rest)
{
	uint32_t port = 0;
	size_t digits = 0;

	out->port = out->https ? 443 : 80;
	*rest = text;
	if (*text != ':')
		return true;
	for (text++; digits < 5 && *text >= '0' && *text <= '9'; digits++)
		port = port * 10 + (uint32_t)(*text++ - '0');
	*rest = text;
	out->port = (uint16_t)port;
	return port > 0 && port <= UINT16_MAX;
}

int url_origin_parse(struct url_origin *out, const char *url, struct mkrootfs_error *error)
{
	const char *rest;

	memset(out, 0, sizeof(*out));
	if (!has_only_url_bytes(url))
		return refuse(error, url, "holds a byte that no URL may hold");
	rest = after_scheme(&out->https, url);
	if (!rest)
		return refuse(error, url, "only https and http are supported");
	if (memchr(rest, '@', strcspn(rest, "/?#")))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "the URL must not hold a user name");
	if (!parse_host(out, rest, &rest) || !parse_port(out, rest, &rest) ||
	    (*rest && !strchr("/?#", *rest)))
		return refuse(error, url, "has no valid host and port");
	return 0;
}

bool url_origin_equal(const struct url_origin *a, const struct url_origin *b)
{
	return a->https == b->https && a->port == b->port && !strcmp(a->host, b->host);
}

bool url_is_ipv6(const char *host)
{
	struct in6_addr six;

	return inet_pton(AF_INET6, host, &six) == 1;
}

bool url_host_is_loopback(const char *host)
{
	struct in6_addr six;
	struct in_addr four;

	if (!strcasecmp(host, "localhost"))
		return true;
	if (inet_pton(AF_INET, host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

static bool is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("-._~", c));
}

int url_append_encoded(struct buf *out, const char *text, struct mkrootfs_error *error)
{
	int status = 0;

	for (; *text && status == 0; text++)
		status = is_unreserved(*text)
				 ? buf_append(out, text, 1, error)
				 : buf_printf(out, error, "%%%02X", (unsigned char)*text);
	return status;
}
