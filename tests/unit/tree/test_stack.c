/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer rules and merge, as a table of stacks and what they show.
 *
 * A stack: layers, lowest first, separated by " | "; entries in tar order, separated by spaces:
 *	d/	directory		f	regular file
 *	s->t	symbolic link to t	h=>t	hard link to t
 *	c!	character device 0:0	.wh.x	as in a layer
 * What it shows: all paths in order; "d/" directory, "f:N" file with the content of the Nth entry
 * of the whole stack (so hard links show the same number), "s->t" link. "!" means that it is
 * refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/find.h"
#include "tree/layer_tree.h"
#include "tree/overlay.h"

static const struct {
	const char *what;
	const char *stack;
	const char *shows;
} cases[] = {
	{ "files of all layers", "a b/ b/c | b/ b/d", "a:1 b/ b/c:3 b/d:5" },
	{ "a later file replaces", "a | a", "a:2" },
	{ "a later entry of one layer replaces", "a a", "a:2" },

	/* Opaque marks hide lower layers only, wherever they stand. */
	{ "opaque last", "d/ d/old | d/ d/sub/ d/sub/new d/new d/.wh..wh..opq",
	  "d/ d/new:6 d/sub/ d/sub/new:5" },
	{ "opaque first", "d/ d/old | d/.wh..wh..opq d/ d/new", "d/ d/new:5" },
	{ "opaque in the middle", "d/ d/old | d/ d/.wh..wh..opq d/new", "d/ d/new:5" },
	{ "opaque without the folder's entry", "t/ t/hello | t/.wh..wh..opq t/hello2",
	  "t/ t/hello2:4" },
	{ "opaque root hides everything", "a b/ b/c | .wh..wh..opq d", "d:5" },
	{ "opaque over a link", "t/ t/keep l->t | l/ l/.wh..wh..opq l/new",
	  "l/ l/new:6 t/ t/keep:2" },
	{ "whiteouts in an opaque folder", "d/ d/a d/b | d/ d/.wh..wh..opq d/.wh.a d/c",
	  "d/ d/c:7" },

	/* Whiteouts act on what is below their own layer. */
	{ "deleted", "f g | .wh.f", "g:2" },
	{ "deleted and back", "a | .wh.a | a", "a:3" },
	{ "deletes nothing", "a | .wh.b", "a:1" },
	{ "deletes in a folder", "d/ d/a d/b | d/.wh.a", "d/ d/b:3" },
	{ "deletes a folder", "d/ d/a | .wh.d", "" },
	{ "deletes a folder, then fills it", "d/ d/x | .wh.d d/y", "d/ d/y:4" },
	{ "fills a folder, then deletes it", "d/ d/x | d/y .wh.d", "d/ d/y:3" },
	{ "the layer's own entry wins, whiteout first", "a | .wh.a a->z", "a->z" },
	{ "the layer's own entry wins, whiteout last", "a | a->z .wh.a", "a->z" },
	{ "the layer's own folder wins, but is fresh", "d/ d/x | d/ d/y .wh.d", "d/ d/y:4" },
	{ "a whiteout as a hard link", "t/ t/x t/y | t/.wh.x=>t/y t/.wh.y=>t/.wh.x", "t/" },
	{ "below a whiteout", "d/ d/x | .wh.d d/.wh.x", "" },
	{ "below a whiteout, other order", "d/ d/x | d/.wh.x .wh.d", "" },
	{ "below a file of the same layer", "d/ d/x | d d/.wh.x", "d:3" },
	{ "below a file of the same layer, other order", "d/ d/x | d/.wh.x d", "d:4" },
	{ "below a link of the same layer", "a/ a/x b/ b/x | a->b a/.wh.x", "a->b b/ b/x:4" },
	{ "a folder's child deleted, then the folder a link", "a/ a/a | a/.wh.a ./ a->b b/",
	  "a->b b/" },
	{ "the same with the link first", "a/ a/a | a->b b/ ./ a/.wh.a", "a->b b/" },
	{ "the name between two types of entries", "d/ d/x | d .wh.d d/", "d/" },
	{ "below a name between two types", "d/ d/x d/y | d->v d/.wh.x d/", "d/ d/y:3" },
	{ "opaque between two types", "d/ d/x | d d/.wh..wh..opq d/y", "d/ d/y:5" },
	{ "a device 0:0 is a whiteout", "f g | f!", "g:2" },
	{ "a hard link to such a device too", "f g h | f! g=>f", "h:3" },
	{ "bookkeeping names are skipped", "a .wh..wh.aufs .wh..wh.plnk/ .wh..wh.plnk/1", "a:1" },
	{ "a whiteout of nothing", "keep | .wh.", "!" },
	{ "a whiteout of the folder itself", "keep | .wh..", "!" },
	{ "a whiteout of the folder above", "keep | d/.wh...", "!" },
	{ "a whiteout as a folder", "keep | .wh.x/ .wh.x/y", "!" },

	/* Hard links. */
	{ "in one layer", "b/ b/a b/b=>b/a b/c=>b/b", "b/ b/a:2 b/b:2 b/c:2" },
	{ "to a lower layer", "d/ d/f | d/g=>d/f", "d/ d/f:2 d/g:2" },
	{ "to a lower layer, twice", "d/ d/f | d/g=>d/f d/h=>d/g", "d/ d/f:2 d/g:2 d/h:2" },
	{ "through a lower layer's link", "d/ d/f l->d | g=>l/f", "d/ d/f:2 g:2 l->d" },
	{ "to nothing", "g=>nope", "!" },
	{ "to what is deleted below", "f | .wh.f | g=>f", "!" },
	{ "to what the same layer deletes", "f | g=>f .wh.f", "g:1" },
	{ "the other name deleted", "a z=>a | .wh.a", "z:1" },
	{ "the other name replaced", "a z=>a | a", "a:3 z:1" },
	{ "to a symbolic link", "s->nowhere h=>s", "h->nowhere s->nowhere" },
	{ "missing parents", "b/ b/app b/r/deep/app=>b/app",
	  "b/ b/app:2 b/r/ b/r/deep/ b/r/deep/app:2" },
	{ "before its target", "b=>a a", "a:2 b:2" },
	{ "a chain before its target", "c=>b b=>a a", "a:3 b:3 c:3" },
	{ "in a circle", "a=>b b=>a", "!" },
	{ "replaces a lower name", "b | a b=>a", "a:2 b:2" },
	{ "replaces a name of its layer", "b a b=>a", "a:2 b:2" },
	{ "to itself", "a a=>a", "a:1" },
	{ "keeps what its target was then", "a b=>a a", "a:3 b:1" },
	{ "to a folder", "d/ h=>d", "!" },
	{ "to a folder below", "d/ d/x | h=>d", "!" },

	/* Folders. */
	{ "listed again", "d/ d/f d/", "d/ d/f:2" },
	{ "listed again above", "u/ u/a | u/ u/b", "u/ u/a:2 u/b:4" },
	{ "implied", "a/b/c", "a/ a/b/ a/b/c:1" },
	{ "after its content", "a/b/f a/b/ a/", "a/ a/b/ a/b/f:1" },
	{ "becomes a link", "d/ d/f d/s/ d/s/g | d->e", "d->e" },
	{ "becomes a link in one layer", "d/ d/R d/l/ d/l/x d->v", "d->v" },
	{ "becomes a link and a folder again", "d/ d/x d->v d/", "d/" },
	{ "a link becomes a folder", "real/ real/f ln->real | ln/ ln/g .wh.real", "ln/ ln/g:5" },
	{ "a file becomes a folder", "p | p/q", "p/ p/q:2" },
	{ "a file becomes a folder in one layer", "p p/q", "p/ p/q:2" },
	{ "a folder becomes a file", "p/ p/q | p", "p:3" },
	{ "a link of the same layer is followed", "t/ s->t s/x", "s->t t/ t/x:3" },
	{ "also an absolute one", "t/ s->/t s/x", "s->/t t/ t/x:3" },
	{ "also one that climbs, but not above the root", "t/ d/ d/s->../../../t d/s/x",
	  "d/ d/s->../../../t t/ t/x:4" },
	{ "a link that leads nowhere yet", "s->n s/x", "n/ n/x:2 s->n" },
	{ "links in a circle", "a->b b->a a/x", "!" },
	{ "a lower layer's link is not followed", "usr/ usr/lib/ usr/lib/l lib->usr/lib | lib/x",
	  "lib/ lib/x:5 usr/ usr/lib/ usr/lib/l:3" },
	{ "the same layer twice", "a b | .wh.a | a b", "a:4 b:5" },
	{ "the root's entry", "./ a ./", "a:2" },
	{ "the root as a file", ".->x", "!" },
};

/* ---- From text to layers ---- */

static struct mkrootfs_error error;

struct parsed {
	char path[256];
	char target[256];
	char kind; /* '/' folder, '>' symlink, '=' hard link, '!' device, 'f' file */
};

static void parse(struct parsed *out, const char *entry)
{
	const char *arrow = strstr(entry, "->"), *equals = strstr(entry, "=>");
	size_t len = strlen(entry);

	memset(out, 0, sizeof(*out));
	out->kind = arrow ? '>' : equals ? '=' : entry[len - 1] == '/' ? '/' : 'f';
	if (entry[len - 1] == '!')
		out->kind = '!';
	if (arrow || equals) {
		strcpy(out->target, (arrow ? arrow : equals) + 2);
		len = (size_t)((arrow ? arrow : equals) - entry);
	} else if (out->kind == '!') {
		len--;
	}
	memcpy(out->path, entry, len);
}

static int add(struct layer_tree *layer, const struct parsed *entry, unsigned number)
{
	struct tree_inode inode = { .mode = S_IFREG | 0644, .size = 1, .data = number };
	struct buf path = BUF_INIT(4096);
	int status = path_normalise(&path, entry->path, strlen(entry->path), 100, &error);

	if (entry->kind == '/')
		inode = (struct tree_inode){ .mode = S_IFDIR | 0700 };
	if (entry->kind == '!')
		inode = (struct tree_inode){ .mode = S_IFCHR | 0600 };
	if (entry->kind == '>') {
		inode = (struct tree_inode){ .mode = S_IFLNK | 0777,
					     .size = strlen(entry->target) };
		tree_new_string(layer->tree, &inode.data, entry->target, inode.size, &error);
	}
	if (status == 0 && entry->kind == '=')
		status = layer_tree_link(layer, (char *)path.data, entry->target, &inode, &error);
	else if (status == 0)
		status = layer_tree_add(layer, (char *)path.data, &inode, &error);
	buf_free(&path);
	return status;
}

static int stack_layer(struct tree **merged, char *entries, unsigned *number)
{
	const struct overlay_options options = { .first_block = 0 };
	struct layer_tree *layer;
	char *rest = NULL;
	int status = layer_tree_create(&layer, 100, &error);

	for (char *word = strtok_r(entries, " ", &rest); status == 0 && word;
	     word = strtok_r(NULL, " ", &rest)) {
		struct parsed entry;

		parse(&entry, word);
		status = add(layer, &entry, ++*number);
	}
	if (status == 0)
		status = layer_tree_finish(layer, &error);
	if (status == 0)
		status = *merged ? overlay_apply(*merged, layer->tree, &options, &error)
				 : overlay_base(layer->tree, &error);
	if (status == 0 && !*merged) {
		*merged = layer->tree;
		layer->tree = NULL;
	}
	layer_tree_free(layer);
	return status;
}

static int stack_all(struct tree **merged, const char *stack)
{
	char *text = strdup(stack), *at = text;
	unsigned number = 0;
	int status = 0;

	while (status == 0 && at) {
		char *bar = strstr(at, " | ");

		if (bar)
			*bar = '\0';
		status = stack_layer(merged, at, &number);
		at = bar ? bar + 3 : NULL;
	}
	free(text);
	return status < 0 ? status : tree_seal(*merged, &error);
}

/* ---- From a tree to text ---- */

static void show(char *out, size_t size, const struct tree *tree)
{
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t node = tree_walk(tree, TREE_ROOT); node; node = tree_walk(tree, node)) {
		const struct tree_inode *inode = tree_inode_of(tree, node);
		char path[256];

		tree_path(tree, node, path, sizeof(path));
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", path);
		if (S_ISDIR(inode->mode))
			used += (size_t)snprintf(out + used, size - used, "/");
		else if (S_ISLNK(inode->mode))
			used += (size_t)snprintf(out + used, size - used, "->%s",
						 tree_string(tree, inode));
		else
			used += (size_t)snprintf(out + used, size - used, ":%u",
						 (unsigned)inode->data);
	}
}

/* Stacked on an empty tree, or on that of the first layer. */
static void check_stacks(bool on_empty)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tree *merged = NULL;
		char text[1024];
		int status;

		if (on_empty)
			assert_int_equal(tree_create(&merged, &error), 0);
		status = stack_all(&merged, cases[i].stack);
		if (status == 0)
			show(text, sizeof(text), merged);
		else
			strcpy(text, "!");
		if (strcmp(text, cases[i].shows) != 0)
			fail_msg("%s: '%s' shows '%s' instead of '%s' (%s)", cases[i].what,
				 cases[i].stack, text, cases[i].shows,
				 status < 0 ? error.message : "no error");
		tree_free(merged);
	}
}

static void shows_what_the_stack_means(void **state)
{
	(void)state;
	check_stacks(true);
	check_stacks(false);
}

/* ---- Attributes ---- */

static struct tree_inode with(struct tree *tree, mode_t mode, uint32_t uid, int64_t mtime)
{
	const struct tree_attributes attributes = { .uid = uid, .mtime = mtime };
	struct tree_inode inode = { .mode = (uint16_t)mode };

	assert_int_equal(tree_set_attributes(tree, &inode, &attributes, &error), 0);
	return inode;
}

static struct tree *one_layer(void (*fill)(struct layer_tree *))
{
	struct layer_tree *layer;
	struct tree *tree;

	assert_int_equal(layer_tree_create(&layer, 100, &error), 0);
	fill(layer);
	assert_int_equal(layer_tree_finish(layer, &error), 0);
	tree = layer->tree;
	layer->tree = NULL;
	layer_tree_free(layer);
	return tree;
}

static void apply(struct tree *merged, void (*fill)(struct layer_tree *))
{
	const struct overlay_options options = { .first_block = 0 };
	struct tree *layer = one_layer(fill);

	assert_int_equal(overlay_apply(merged, layer, &options, &error), 0);
	tree_free(layer);
}

static const struct tree_inode *at(const struct tree *tree, const char *path)
{
	uint32_t node;

	assert_int_equal(tree_find(tree, &node, path, 0, &error), 0);
	assert_int_not_equal(node, 0);
	return tree_inode_of(tree, node);
}

static const struct tree_attributes *attributes_at(const struct tree *tree, const char *path)
{
	return tree_attributes_of(tree, at(tree, path));
}

static void private_srv(struct layer_tree *layer)
{
	struct tree_inode inode = with(layer->tree, S_IFDIR | 0700, 1000, 5);
	const struct xattr_entry xattr = { "user.a", 6, (const uint8_t *)"1", 1 };
	uint32_t set;

	assert_int_equal(xattr_pool_add(&layer->tree->xattrs, &set, &xattr, 1, &error), 0);
	assert_int_equal(tree_set_xattrs(layer->tree, &inode, set, &error), 0);
	assert_int_equal(layer_tree_add(layer, "srv", &inode, &error), 0);
}

static void only_a_file_in_srv(struct layer_tree *layer)
{
	const struct tree_inode inode = with(layer->tree, S_IFREG | 0644, 0, 9);

	assert_int_equal(layer_tree_add(layer, "srv/x", &inode, &error), 0);
}

static void an_implied_folder_keeps_the_lower_attributes(void **state)
{
	struct tree *merged;
	const struct tree_attributes *srv;

	(void)state;
	assert_int_equal(tree_create(&merged, &error), 0);
	apply(merged, private_srv);
	apply(merged, only_a_file_in_srv);
	srv = attributes_at(merged, "srv");
	assert_int_equal(at(merged, "srv")->mode, S_IFDIR | 0700);
	assert_int_equal(srv->uid, 1000);
	assert_int_equal(srv->mtime, 5);
	assert_int_equal(xattr_set_count(&merged->xattrs, srv->xattrs), 1);
	tree_free(merged);
}

static void link_with_attributes(struct layer_tree *layer)
{
	const struct tree_inode file = with(layer->tree, S_IFREG | 0644, 1, 1);
	const struct tree_inode link = with(layer->tree, S_IFREG | 0755, 2, 2);

	assert_int_equal(layer_tree_add(layer, "a", &file, &error), 0);
	assert_int_equal(layer_tree_link(layer, "b", "a", &link, &error), 0);
}

static void a_hard_link_entry_sets_the_shared_inode(void **state)
{
	struct tree *layer = one_layer(link_with_attributes);

	(void)state;
	assert_ptr_equal(at(layer, "a"), at(layer, "b"));
	assert_int_equal(at(layer, "a")->mode, S_IFREG | 0755);
	assert_int_equal(attributes_at(layer, "a")->uid, 2);
	assert_int_equal(attributes_at(layer, "a")->mtime, 2);
	assert_int_equal(at(layer, "a")->nlink, 2);
	tree_free(layer);
}

static void many_links(struct layer_tree *layer)
{
	const struct tree_inode file = with(layer->tree, S_IFREG | 0644, 0, 0);
	char name[32];

	assert_int_equal(layer_tree_add(layer, "first", &file, &error), 0);
	for (int i = 0; i < 70000; i++) {
		snprintf(name, sizeof(name), "d/%d", i);
		assert_int_equal(layer_tree_link(layer, name, "first", &file, &error), 0);
	}
}

static void counts_more_links_than_16_bits(void **state)
{
	struct tree *layer = one_layer(many_links);

	(void)state;
	assert_int_equal(at(layer, "first")->nlink, 70001);
	assert_int_equal(at(layer, "")->nlink, 3);
	tree_free(layer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_what_the_stack_means),
		cmocka_unit_test(an_implied_folder_keeps_the_lower_attributes),
		cmocka_unit_test(a_hard_link_entry_sets_the_shared_inode),
		cmocka_unit_test(counts_more_links_than_16_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
