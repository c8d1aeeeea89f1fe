/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"

#include <stdio.h>
#include <string.h>

/* Names of architectures that are not Go's, and the variant that they imply. */
static const struct alias {
	const char *name;
	const char *architecture;
	const char *variant; /* NULL: keep the given one */
} aliases[] = {
	{ "x86_64", "amd64", NULL },  { "x86-64", "amd64", NULL },
	{ "aarch64", "arm64", NULL }, { "armhf", "arm", "v7" },
	{ "armel", "arm", "v6" },     { "i386", "386", NULL },
	{ "i686", "386", NULL },      { "loongarch64", "loong64", NULL },
};

/* Architectures whose variants are ordered, and the variant that none stands for. */
static const struct family {
	const char *architecture;
	const char *baseline;
	bool implied; /* the baseline is written as no variant */
} families[] = {
	{ "arm", "v7", false },
	{ "arm64", "v8", true },
	{ "amd64", "v1", true },
};

static const struct family *family_of(const struct platform *platform)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strcmp(platform->architecture, families[i].architecture))
			return &families[i];
	return NULL;
}

static void normalise_variant(struct platform *platform)
{
	const struct family *family = family_of(platform);
	char number[sizeof(platform->variant)];

	if (!family)
		return;
	if (platform->variant[0] >= '0' && platform->variant[0] <= '9') {
		strcpy(number, platform->variant);
		snprintf(platform->variant, sizeof(platform->variant), "v%.14s", number);
	}
	if (!platform->variant[0] && !family->implied)
		strcpy(platform->variant, family->baseline);
	if (!strcmp(platform->variant, family->baseline) && family->implied)
		platform->variant[0] = '\0';
}

static void normalise(struct platform *platform)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(platform->architecture, aliases[i].name) != 0)
			continue;
		strcpy(platform->architecture, aliases[i].architecture);
		if (aliases[i].variant && !platform->variant[0])
			strcpy(platform->variant, aliases[i].variant);
		break;
	}
	normalise_variant(platform);
}

/* text[0..len) in lower case; false when it is too long. */
static bool copy_lower(char *out, size_t size, const char *text, size_t len)
{
	if (len >= size)
		return false;
	for (size_t i = 0; i < len; i++)
		out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
	out[len] = '\0';
	return true;
}

/* One component at *text, which moves behind the slash that ends it. */
static bool take_component(char *out, size_t size, const char **text)
{
	size_t len = strspn(*text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_.-");

	if (len == 0 || !copy_lower(out, size, *text, len))
		return false;
	*text += len;
	if (**text == '/' && (*text)[1])
		(*text)++;
	else if (**text)
		return false;
	return true;
}

int platform_parse(struct platform *out, const char *text, struct mkrootfs_error *error)
{
	const char *rest = text;

	memset(out, 0, sizeof(*out));
	if (take_component(out->os, sizeof(out->os), &rest) && *rest &&
	    take_component(out->architecture, sizeof(out->architecture), &rest) &&
	    (!*rest || take_component(out->variant, sizeof(out->variant), &rest)) && !*rest) {
		normalise(out);
		return 0;
	}
	memset(out, 0, sizeof(*out));
	return error_set(error, MKROOTFS_ERROR_INVALID,
			 "platform '%.100s': must be os/architecture[/variant], as in linux/arm64",
			 text);
}

static int take_member(char *out, size_t size, const struct jval *object, const char *key,
		       struct mkrootfs_error *error)
{
	const struct jval *member = jval_get(object, key);
	const char *text = jval_text(member);

	if (jval_is_absent(member))
		return 0;
	if (!text)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s is no string", key);
	if (!copy_lower(out, size, text, strlen(text)))
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s '%.40s...' is too long", key,
				 text);
	return 0;
}

int platform_from_json(struct platform *out, const struct jval *object,
		       struct mkrootfs_error *error)
{
	int status;

	memset(out, 0, sizeof(*out));
	status = take_member(out->os, sizeof(out->os), object, "os", error);
	if (status == 0)
		status = take_member(out->architecture, sizeof(out->architecture), object,
				     "architecture", error);
	if (status == 0)
		status = take_member(out->variant, sizeof(out->variant), object, "variant", error);
	if (status == 0)
		normalise(out);
	return status;
}

#if defined(__x86_64__)
#define HOST_ARCHITECTURE "amd64"
#elif defined(__aarch64__)
#define HOST_ARCHITECTURE "arm64"
#elif defined(__arm__) && __ARM_ARCH >= 7
#define HOST_ARCHITECTURE "arm/v7"
#elif defined(__arm__) && __ARM_ARCH == 6
#define HOST_ARCHITECTURE "arm/v6"
#elif defined(__arm__)
#define HOST_ARCHITECTURE "arm/v5"
#elif defined(__i386__)
#define HOST_ARCHITECTURE "386"
#elif defined(__riscv) && __riscv_xlen == 64
#define HOST_ARCHITECTURE "riscv64"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define HOST_ARCHITECTURE "ppc64le"
#elif defined(__s390x__)
#define HOST_ARCHITECTURE "s390x"
#elif defined(__loongarch64)
#define HOST_ARCHITECTURE "loong64"
#elif defined(__mips64) && defined(__MIPSEL__)
#define HOST_ARCHITECTURE "mips64le"
#else
#define HOST_ARCHITECTURE "unknown"
#endif

void platform_host(struct platform *out)
{
	struct mkrootfs_error error;

	platform_parse(out, "linux/" HOST_ARCHITECTURE, &error);
}

void platform_format(char text[PLATFORM_TEXT_SIZE], const struct platform *platform)
{
	snprintf(text, PLATFORM_TEXT_SIZE, "%s/%s%s%s", platform->os[0] ? platform->os : "unknown",
		 platform->architecture[0] ? platform->architecture : "unknown",
		 platform->variant[0] ? "/" : "", platform->variant);
}

/* One or two digits at *text, which moves behind them; 0 when there are none. */
static unsigned take_number(const char **text)
{
	unsigned number = 0;

	for (int i = 0; i < 2 && **text >= '0' && **text <= '9'; i++)
		number = number * 10 + (unsigned)(*(*text)++ - '0');
	return number;
}

/* "v8" is 800, "v8.2" 802; 0 for what is no such number. */
static unsigned variant_number(const struct platform *platform, const struct family *family)
{
	const char *text = platform->variant[0] ? platform->variant : family->baseline;
	unsigned number;

	if (*text++ != 'v')
		return 0;
	number = take_number(&text) * 100;
	if (*text == '.') {
		text++;
		number += take_number(&text);
	}
	return *text ? 0 : number;
}

unsigned platform_rank(const struct platform *candidate, const struct platform *wanted)
{
	const struct family *family = family_of(wanted);
	unsigned has, most;

	if (strcmp(candidate->os, wanted->os) != 0 ||
	    strcmp(candidate->architecture, wanted->architecture) != 0)
		return 0;
	if (!strcmp(candidate->variant, wanted->variant))
		return UINT32_MAX;
	if (!family)
		return 0;
	has = variant_number(candidate, family);
	most = variant_number(wanted, family);
	return has <= most ? has : 0;
}
