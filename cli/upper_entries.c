/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_entries.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define ID_MAX (UINT32_MAX - 1)

/* How an option's value is written: what is before the separator, and what behind it. */
static const struct action {
	enum option_id option;
	enum mkrootfs_upper_action action;
	const char *name, *form;
	char separator; /* 0: the whole value is the path */
} actions[] = {
	{ OPTION_COPY_IN, MKROOTFS_UPPER_COPY_IN, "copy-in", "HOST:/PATH", ':' },
	{ OPTION_FROM, MKROOTFS_UPPER_FROM_TAR, "from", "TAR", 0 },
	{ OPTION_MKDIR, MKROOTFS_UPPER_MKDIR, "mkdir", "/PATH", 0 },
	{ OPTION_WRITE, MKROOTFS_UPPER_WRITE, "write", "/PATH=TEXT", '=' },
	{ OPTION_SYMLINK, MKROOTFS_UPPER_SYMLINK, "symlink", "/PATH=TARGET", '=' },
	{ OPTION_REMOVE, MKROOTFS_UPPER_REMOVE, "remove", "/PATH", 0 },
};

static const struct action *find_action(enum option_id option)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (actions[i].option == option)
			return &actions[i];
	return NULL;
}

/* A host's name may hold colons: the last one before a slash counts. */
static char *find_separator(char *value, char separator)
{
	char *found = NULL;

	if (separator == '=')
		return strchr(value, '=');
	for (char *at = value; (at = strstr(at, ":/")); at++)
		found = at;
	return found;
}

/* The value in two strings: path and the rest. False when it has not the form. */
static bool split(struct mkrootfs_upper_entry *entry, char *value, const struct action *action)
{
	char *separator = action->separator ? find_separator(value, action->separator) : NULL;

	if (action->separator && (!separator || separator == value))
		return false;
	if (separator)
		*separator++ = '\0';
	entry->path = value;
	if (action->action == MKROOTFS_UPPER_COPY_IN) {
		entry->path = separator;
		entry->source = value;
	} else if (action->action == MKROOTFS_UPPER_FROM_TAR) {
		entry->path = NULL;
		entry->source = value;
	} else if (action->action == MKROOTFS_UPPER_WRITE) {
		entry->data = separator;
		entry->size = strlen(separator);
	} else if (action->action == MKROOTFS_UPPER_SYMLINK) {
		entry->source = separator;
	}
	return !entry->path || entry->path[0] == '/';
}

/* "UID:GID" or "UID", which is then the group, too. */
static bool read_owner(struct mkrootfs_upper_entry *now, const char *text)
{
	const char *colon = strchr(text, ':');
	char user[32];
	uint64_t uid, gid;

	snprintf(user, sizeof(user), "%.*s", colon ? (int)(colon - text) : 31, text);
	if (number_parse(&uid, user, 0, ID_MAX) ||
	    number_parse(&gid, colon ? colon + 1 : user, 0, ID_MAX))
		return false;
	now->set_owner = 1;
	now->uid = (uint32_t)uid;
	now->gid = (uint32_t)gid;
	return true;
}

static bool read_mode(struct mkrootfs_upper_entry *now, const char *text)
{
	if (!*text || text[strspn(text, "01234567")] || strlen(text) > 5)
		return false;
	now->set_mode = 1;
	now->mode = (uint32_t)strtoul(text, NULL, 8);
	return now->mode <= 07777;
}

/* What stands behind it on the line has this owner or mode. Returns 0 or an exit code. */
static int read_attribute(struct mkrootfs_upper_entry *now, const struct option_value *option,
			  const struct invocation *invocation)
{
	if (option->id == OPTION_CHOWN && !read_owner(now, option->value))
		return usage_error(invocation, "'--chown %s' is not UID:GID, in numbers",
				   option->value);
	if (option->id == OPTION_CHMOD && !read_mode(now, option->value))
		return usage_error(invocation, "'--chmod %s' is not an octal mode such as 0644",
				   option->value);
	return 0;
}

static int add(struct mkrootfs_upper_entry *entry, const struct mkrootfs_upper_entry *now,
	       const struct option_value *option, const struct action *action,
	       const struct invocation *invocation)
{
	char *value = strdup(option->value);
	int code = 0;

	*entry = *now;
	entry->action = action->action;
	if (!value)
		return usage_error(invocation, "out of memory");
	if (!split(entry, value, action)) {
		code = usage_error(invocation, "'--%s %s' is not %s", action->name, option->value,
				   action->form);
		free(value);
	}
	return code;
}

int upper_entries_read(struct mkrootfs_upper_entry entries[OPTIONS_MAX], size_t *count,
		       const struct invocation *invocation)
{
	const struct arguments *arguments = &invocation->arguments;
	struct mkrootfs_upper_entry now = { 0 };
	int code = 0;

	*count = 0;
	for (size_t i = 0; !code && i < arguments->all_count; i++) {
		const struct option_value *option = &arguments->all[i];
		const struct action *action = find_action(option->id);

		if (action)
			code = add(&entries[*count], &now, option, action, invocation);
		else
			code = read_attribute(&now, option, invocation);
		*count += action && !code;
	}
	if (code) {
		upper_entries_free(entries, *count);
		*count = 0;
	}
	return code;
}

/* Path and the rest are one string, which begins with what stood first on the line. */
void upper_entries_free(struct mkrootfs_upper_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool source_first = entries[i].action == MKROOTFS_UPPER_COPY_IN ||
				    entries[i].action == MKROOTFS_UPPER_FROM_TAR;

		free((char *)(source_first ? entries[i].source : entries[i].path));
	}
}
