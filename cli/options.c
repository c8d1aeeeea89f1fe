/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct parser {
	const struct option_spec *specs;
	struct arguments *arguments;
	char **next;   /* the word to read next */
	char *problem; /* OPTIONS_PROBLEM bytes */
};

const struct option_spec option_help = { OPTION_HELP, 'h', "help", NULL, "print this text" };

__attribute__((format(printf, 2, 3))) static int fail(struct parser *parser, const char *format,
						      ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(parser->problem, OPTIONS_PROBLEM, format, list);
	va_end(list);
	return -1;
}

static const struct option_spec *find_name(const struct parser *parser, const char *name,
					   size_t length)
{
	if (length == strlen(option_help.name) && !memcmp(name, option_help.name, length))
		return &option_help;
	for (const struct option_spec *spec = parser->specs; spec->id; spec++) {
		if (strlen(spec->name) == length && !memcmp(name, spec->name, length))
			return spec;
	}
	return NULL;
}

static const struct option_spec *find_letter(const struct parser *parser, char letter)
{
	if (letter == option_help.letter)
		return &option_help;
	for (const struct option_spec *spec = parser->specs; spec->id; spec++) {
		if (spec->letter && spec->letter == letter)
			return spec;
	}
	return NULL;
}

static int keep_value(struct parser *parser, enum option_id id, const char *value)
{
	struct arguments *arguments = parser->arguments;

	if (arguments->all_count == OPTIONS_MAX)
		return fail(parser, "more than %d options with values", OPTIONS_MAX);
	arguments->all[arguments->all_count++] = (struct option_value){ id, value };
	arguments->values[id] = value;
	return 0;
}

/* Stores a value, which is the next word when none was attached. */
static int take_value(struct parser *parser, const struct option_spec *spec, const char *value)
{
	if (!value && *parser->next)
		value = *parser->next++;
	if (!value)
		return fail(parser, "option '--%s' needs a value (%s)", spec->name, spec->value);
	/* An unset variable in a script is likelier than a wish for the default. */
	if (!*value)
		return fail(parser, "the value of option '--%s' is empty", spec->name);
	return keep_value(parser, spec->id, value);
}

static int parse_long(struct parser *parser, const char *word)
{
	const char *name = word + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_spec *spec = find_name(parser, name, length);

	if (!spec)
		return fail(parser, "unknown option '%.*s'", (int)(length + 2), word);
	if (spec->value)
		return take_value(parser, spec, equals ? equals + 1 : NULL);
	if (equals)
		return fail(parser, "option '--%s' takes no value", spec->name);
	parser->arguments->values[spec->id] = "";
	return 0;
}

/* A word of short options: flags, of which the last may be an option with its value attached. */
static int parse_short(struct parser *parser, const char *word)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const struct option_spec *spec = find_letter(parser, *letter);

		if (!spec)
			return fail(parser, "unknown option '-%c' in '%s'", *letter, word);
		if (spec->value)
			return take_value(parser, spec, letter[1] ? letter + 1 : NULL);
		parser->arguments->values[spec->id] = "";
	}
	return 0;
}

int options_parse(struct arguments *arguments, char problem[OPTIONS_PROBLEM],
		  const struct option_spec *specs, char **words)
{
	struct parser parser = { specs, arguments, words, problem };
	bool only_operands = false;
	int status = 0;

	*arguments = (struct arguments){ .operands = words };
	while (!status && *parser.next) {
		char *word = *parser.next++;

		if (only_operands || word[0] != '-' || !word[1])
			words[arguments->operand_count++] = word;
		else if (!strcmp(word, "--"))
			only_operands = true;
		else if (word[1] == '-')
			status = parse_long(&parser, word);
		else
			status = parse_short(&parser, word);
	}
	return status;
}

size_t arguments_values(const char *values[OPTIONS_MAX], const struct arguments *arguments,
			enum option_id id)
{
	size_t count = 0;

	for (size_t i = 0; i < arguments->all_count; i++) {
		if (arguments->all[i].id == id)
			values[count++] = arguments->all[i].value;
	}
	return count;
}
