/* SPDX-License-Identifier: Apache-2.0 */
#include "verify_report.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "message.h"

static int begin_item(struct verify_report *report)
{
	report->problems = 0;
	if (report->form != VERIFY_JSON)
		return 0;
	report->stream = open_memstream(&report->json, &report->json_size);
	return report->stream ? 0 : -1;
}

int verify_report_open(struct verify_report *report, FILE *out, FILE *err, enum verify_form form)
{
	*report = (struct verify_report){ .out = out, .err = err, .form = form };
	if (form == VERIFY_JSON)
		fputs("[", out);
	return begin_item(report);
}

static void end_item(struct verify_report *report)
{
	if (report->stream)
		fclose(report->stream);
	free(report->json);
	report->stream = NULL;
	report->json = NULL;
}

void verify_report_close(struct verify_report *report)
{
	end_item(report);
	if (report->form == VERIFY_JSON)
		fputs(report->items ? "\n]\n" : "]\n", report->out);
}

/* ---- One problem ---- */

static void print_member(FILE *out, const char *name, const char *value)
{
	if (!value)
		return;
	fprintf(out, "\"%s\": ", name);
	print_json_string(out, value);
	fputs(", ", out);
}

static void write_json(struct verify_report *report, const struct mkrootfs_problem *problem)
{
	FILE *out = report->stream;

	if (!out)
		return;
	fprintf(out, "%s\n      { ", report->problems > 1 ? "," : "");
	print_member(out, "file", problem->file);
	print_member(out, "path", problem->path);
	fputs("\"text\": ", out);
	print_json_string(out, problem->text);
	fputs(" }", out);
}

/* The file on the host, unless the name says it. */
static void write_line(struct verify_report *report, const char *name,
		       const struct mkrootfs_problem *problem)
{
	bool shows_file = problem->file && strcmp(problem->file, name) != 0;
	char *line;

	if (asprintf(&line, "%s: %s%s%s%s%s%s", name, problem->path ? problem->path : "",
		     problem->path ? ": " : "", problem->text, shows_file ? " (" : "",
		     shows_file ? problem->file : "", shows_file ? ")" : "") < 0)
		return;
	print_failure(report->err, line);
	free(line);
}

void verify_report_problem(struct verify_report *report, const char *name,
			   const struct mkrootfs_problem *problem)
{
	report->problems++;
	report->total++;
	if (report->form == VERIFY_JSON)
		write_json(report, problem);
	else
		write_line(report, name, problem);
}

/* ---- What was verified ---- */

static void write_object(struct verify_report *report, const char *name, const char *note)
{
	FILE *out = report->out;

	fclose(report->stream);
	report->stream = NULL;
	fprintf(out, "%s\n  {\n    \"name\": ", report->items++ ? "," : "");
	print_json_string(out, name);
	fprintf(out, ",\n    \"ok\": %s,\n    ", report->problems ? "false" : "true");
	if (note) {
		fputs("\"note\": ", out);
		print_json_string(out, note);
		fputs(",\n    ", out);
	}
	fprintf(out, "\"problems\": [%s%s]\n  }", report->json ? report->json : "",
		report->problems ? "\n    " : "");
}

void verify_report_item(struct verify_report *report, const char *name, const char *note)
{
	if (report->form == VERIFY_JSON && report->stream) {
		write_object(report, name, note);
	} else if (report->form == VERIFY_LINES) {
		print_escaped(report->out, name, strlen(name));
		if (report->problems)
			fprintf(report->out, ": %llu problem%s\n", report->problems,
				report->problems > 1 ? "s" : "");
		else
			fprintf(report->out, ": ok%s%s\n", note ? ", " : "", note ? note : "");
		fflush(report->out);
	}
	end_item(report);
	begin_item(report);
}

void verify_report_removed(struct verify_report *report, const char *path)
{
	if (report->form == VERIFY_JSON) {
		fprintf(report->out, "%s\n  { \"removed\": ", report->items++ ? "," : "");
		print_json_string(report->out, path);
		fputs(" }", report->out);
	} else if (report->form == VERIFY_LINES) {
		fputs("removed ", report->out);
		print_escaped(report->out, path, strlen(path));
		putc('\n', report->out);
	}
}
