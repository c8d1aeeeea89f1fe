/* SPDX-License-Identifier: Apache-2.0 */
#include "mirrors_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mirrors_pick(const struct mirrors *m, source_mask tried)
{
	for (int late = 0; late < 2; late++) {
		for (int i = 0; i < m->count; i++) {
			if (!(tried & mirrors_bit(i)) && ((m->late & mirrors_bit(i)) != 0) == late)
				return i;
		}
	}
	return -1;
}

void mirrors_warn(const struct mirrors *m, int source, const char *what,
		  const struct mkrootfs_error *cause)
{
	char reason[800], text[1024];

	if (!m->options.warn)
		return;
	mirror_cause_format(reason, sizeof(reason), m->sources[source].name, cause);
	snprintf(text, sizeof(text), "%.150s: passed over a source: %s", what, reason);
	m->options.warn(m->options.warn_user, text);
}
static void mirrors_close(struct transport *transport)
{
	struct mirrors *m = mirrors_of(transport);

	for (int i = 0; i < m->count; i++) {
		transport_close(m->sources[i].transport);
		free(m->sources[i].name);
	}
	for (size_t i = 0; i < m->blob_count; i++)
		free(m->blobs[i]);
	pthread_mutex_destroy(&m->lock);
	free(m->blobs);
	free(m->sources);
	free(m);
}

static const struct transport_ops mirrors_ops = {
	mirrors_fetch_manifest,
	mirrors_open_blob,
	mirrors_close,
	mirrors_next_source,
};

static int create(struct mirrors **out, size_t count, const struct mirrors_options *options,
		  struct mkrootfs_error *error)
{
	struct mirrors *m;

	*out = NULL;
	if (count == 0 || count > MIRRORS_MAX_SOURCES)
		return error_set(error, MKROOTFS_ERROR_LIMIT,
				 "%zu sources for '%.300s', not 1 to %d", count,
				 options->reference->text, MIRRORS_MAX_SOURCES);
	m = calloc(1, sizeof(*m));
	if (m)
		m->sources = calloc(count, sizeof(*m->sources));
	if (!m || !m->sources) {
		free(m);
		return error_no_memory(error);
	}
	m->transport.ops = &mirrors_ops;
	m->options = *options;
	pthread_mutex_init(&m->lock, NULL);
	*out = m;
	return 0;
}

int mirrors_open(struct transport **out, const struct mirror_source *sources, size_t count,
		 const struct mirrors_options *options, struct mkrootfs_error *error)
{
	struct mirrors *m;
	int status = create(&m, count, options, error);

	*out = NULL;
	if (!m) {
		for (size_t i = 0; i < count; i++)
			transport_close(sources[i].transport);
		return status;
	}
	for (; m->count < (int)count; m->count++) {
		m->sources[m->count].transport = sources[m->count].transport;
		m->sources[m->count].name = strdup(sources[m->count].name);
		if (!m->sources[m->count].name)
			status = error_no_memory(error);
	}
	if (status < 0)
		mirrors_close(&m->transport);
	else
		*out = &m->transport;
	return status;
}
