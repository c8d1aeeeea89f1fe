/* SPDX-License-Identifier: Apache-2.0 */
#include "image_view.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "size.h"

const char *short_digest(char text[SHORT_DIGEST], const char *digest)
{
	const char *colon = strchr(digest, ':');

	snprintf(text, SHORT_DIGEST, "%s", colon ? colon + 1 : digest);
	return text;
}

static void print_name(FILE *out, const char *name)
{
	fprintf(out, "%s:%*s", name, 12 - (int)strlen(name), "");
}

void print_field(FILE *out, const char *name, const char *value)
{
	print_name(out, name);
	value = *value ? value : "-";
	print_escaped(out, value, strlen(value));
	putc('\n', out);
}

void print_files(FILE *out, const struct mkrootfs_image *image)
{
	char size[SIZE_TEXT];

	print_field(out, "Directory", mkrootfs_image_directory(image));
	print_field(out, "Disk", mkrootfs_image_disk(image));
	print_field(out, "Disk size", size_format(size, mkrootfs_image_disk_size(image)));
	print_field(out, "Metadata", mkrootfs_image_fsmeta(image));
}

void print_layers(FILE *out, const struct mkrootfs_image *image)
{
	size_t count = mkrootfs_image_layer_count(image);

	fprintf(out, "Layers:      %zu, lowest first\n", count);
	for (size_t i = 0; i < count; i++) {
		const struct mkrootfs_image_layer *layer = mkrootfs_image_layer(image, i);
		char digest[SHORT_DIGEST], size[SIZE_TEXT];

		fprintf(out, "  %s  %10s  ", short_digest(digest, layer->diff_id),
			size_format(size, layer->size));
		print_escaped(out, layer->path, strlen(layer->path));
		putc('\n', out);
	}
}

/* QEMU takes a comma for the end of a value unless it stands twice. */
static char *double_commas(const char *path)
{
	char *copy = malloc(2 * strlen(path) + 1), *end = copy;

	while (copy && *path) {
		if (*path == ',')
			*end++ = ',';
		*end++ = *path++;
	}
	if (copy)
		*end = '\0';
	return copy;
}

void print_qemu_drive(FILE *out, const char *options, const char *path)
{
	char *name = double_commas(path), *word = NULL;

	if (name && asprintf(&word, "if=virtio,%s,file=%s", options, name) >= 0) {
		fputs("-drive ", out);
		print_shell_word(out, word);
		free(word);
	}
	free(name);
}

void print_guest_mounts(FILE *out)
{
	fputs("  mount -t erofs -o ro /dev/vda /lower\n"
	      "  mount -t ext4 /dev/vdb /state\n"
	      "  mount -t overlay overlay /newroot \\\n"
	      "    -o lowerdir=/lower,upperdir=/state/upper,workdir=/state/work\n",
	      out);
}
