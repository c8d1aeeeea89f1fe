/* SPDX-License-Identifier: Apache-2.0 */
/* Which configuration is read by default; what /etc has is this machine's business. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/registry_places.h"

static char home[] = "/tmp/mkrootfs-places-XXXXXX";
static const char *const folders[] = { ".config", ".config/containers",
				       ".config/containers/registries.conf.d",
				       ".config/containers/certs.d" };
static const char file[] = ".config/containers/registries.conf";

static const char *in_home(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", home, name);
	return path;
}

static int make_home(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(home));
	setenv("HOME", home, 1);
	unsetenv("CONTAINERS_REGISTRIES_CONF");
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		assert_int_equal(mkdir(in_home(folders[i]), 0700), 0);
	fclose(fopen(in_home(file), "w"));
	return 0;
}

static int remove_home(void **state)
{
	(void)state;
	unlink(in_home(file));
	for (size_t i = sizeof(folders) / sizeof(folders[0]); i-- > 0;)
		rmdir(in_home(folders[i]));
	return rmdir(home);
}

static struct mkrootfs_registry_options fill(struct registry_places *places,
					     const struct arguments *arguments)
{
	struct mkrootfs_registry_options options = { .retries = 0 };

	registry_places_fill(&options, places, arguments);
	return options;
}

static const struct arguments nothing;

static bool has(const struct mkrootfs_string_list *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!strcmp(list->items[i], path))
			return true;
	}
	return false;
}

static void the_users_file_hides_the_systems(void **state)
{
	struct registry_places places;
	struct mkrootfs_registry_options options = fill(&places, &nothing);

	(void)state;
	assert_int_equal(options.registries_conf.count, 2);
	assert_string_equal(options.registries_conf.items[0], in_home(file));
	assert_string_equal(options.registries_conf.items[1], in_home(folders[2]));
	assert_int_equal(options.mirrors.count, 0);
	assert_string_equal(options.certs_dirs.items[0], in_home(folders[3]));
}

/* Without a file of the user, the system's are read, and the user's folder behind them. */
static void the_users_folder_comes_last(void **state)
{
	struct registry_places places;
	struct mkrootfs_registry_options options;
	const struct mkrootfs_string_list *conf = &options.registries_conf;

	(void)state;
	unlink(in_home(file));
	options = fill(&places, &nothing);
	fclose(fopen(in_home(file), "w"));
	assert_string_equal(conf->items[conf->count - 1], in_home(folders[2]));
	assert_int_equal(has(conf, "/etc/containers/registries.conf"),
			 access("/etc/containers/registries.conf", F_OK) == 0);
	assert_int_equal(has(conf, "/etc/containers/registries.conf.d"),
			 access("/etc/containers/registries.conf.d", F_OK) == 0);
}

static void the_environment_and_options_count_alone(void **state)
{
	static const struct arguments given = {
		.all = { { OPTION_REGISTRIES_CONF, "x" },
			 { OPTION_MIRROR, "m" },
			 { OPTION_REGISTRIES_CONF, "y" },
			 { OPTION_MIRROR, "n" } },
		.all_count = 4,
	};
	struct registry_places places;
	struct mkrootfs_registry_options options;

	(void)state;
	setenv("CONTAINERS_REGISTRIES_CONF", "alone", 1);
	options = fill(&places, &nothing);
	assert_int_equal(options.registries_conf.count, 1);
	assert_string_equal(options.registries_conf.items[0], "alone");
	options = fill(&places, &given);
	assert_int_equal(options.registries_conf.count, 2);
	assert_string_equal(options.registries_conf.items[0], "x");
	assert_string_equal(options.registries_conf.items[1], "y");
	assert_int_equal(options.mirrors.count, 2);
	assert_string_equal(options.mirrors.items[1], "n");
	unsetenv("CONTAINERS_REGISTRIES_CONF");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_users_file_hides_the_systems),
		cmocka_unit_test(the_users_folder_comes_last),
		cmocka_unit_test(the_environment_and_options_count_alone),
	};

	return cmocka_run_group_tests(tests, make_home, remove_home);
}
