/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a result directory that are there to be looked at: plots and the page. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/html.h"
#include "report/imported.h"
#include "report/plot.h"
#include "report/replacement.h"
#include "report/result.h"

static int save_plot(const char *dir, const struct run_view *view, const struct phase_view *phase,
		     enum plot_kind kind, enum plot_format format, struct fault *fault)
{
	static const char *const kinds[] = { "time", "histogram", "percentile", "overview" };
	static const char *const suffixes[] = { ".svg", ".png" };
	unsigned char *bytes;
	struct replacement r;
	char name[256];
	size_t length;
	int err;

	err = plot_render(view, phase, kind, format, PLOT_LIGHT, &bytes, &length, fault);
	if (err)
		return err;
	if (phase)
		snprintf(name, sizeof(name), "%.200s-%s", phase->name, kinds[kind]);
	else
		snprintf(name, sizeof(name), "%s", kinds[kind]);
	err = replacement_open(&r, dir, name, suffixes[format], fault);
	if (!err)
		err = replacement_finish(&r, fwrite(bytes, 1, length, r.file) != length ? -EIO : 0,
					 fault);
	free(bytes);
	return err;
}

static int save_both(const char *dir, const struct run_view *view, const struct phase_view *phase,
		     enum plot_kind kind, struct fault *fault)
{
	int err = save_plot(dir, view, phase, kind, PLOT_SVG, fault);

	return err ? err : save_plot(dir, view, phase, kind, PLOT_PNG, fault);
}

int result_save_plots(const char *dir, const struct run_view *view, struct fault *fault)
{
	char plots[PATH_MAX];
	int err;

	/* An imported run has no samples. */
	if (imported_run(view->run))
		return 0;
	if (snprintf(plots, sizeof(plots), "%s/plots", dir) >= PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s: name too long", dir);
	if (mkdir(plots, 0777) && errno != EEXIST)
		return fault_set(fault, -errno, "%s: %s", plots, strerror(errno));
	err = save_both(plots, view, NULL, PLOT_OVERVIEW, fault);
	for (size_t i = 0; !err && i < view->n; i++)
		for (int kind = PLOT_TIME; !err && kind <= PLOT_PERCENTILE; kind++)
			if (view->phases[i].evaluation)
				err = save_both(plots, view, &view->phases[i], (enum plot_kind)kind,
						fault);
	return err;
}

int result_save_html(const char *dir, const struct run_view *view, struct fault *fault)
{
	struct replacement r;
	int err = replacement_open(&r, dir, "report.html", "", fault);

	if (err)
		return err;
	return replacement_finish(&r, html_write(r.file, view, fault), fault);
}
