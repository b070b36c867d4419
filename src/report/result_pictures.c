/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a result directory that are there to be looked at: plots and the page. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/html.h"
#include "report/imported.h"
#include "report/plot.h"
#include "report/replacement.h"
#include "report/result.h"

/* The directory of the plots. */
struct plots {
	int fd;
	char path[PATH_MAX];
};

static int save_plot(const struct plots *plots, const struct run_view *view,
		     const struct phase_view *phase, enum plot_kind kind, enum plot_format format,
		     struct fault *fault)
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
	err = replacement_open_in(&r, plots->fd, plots->path, name, suffixes[format], fault);
	if (!err)
		err = replacement_finish(&r, fwrite(bytes, 1, length, r.file) != length ? -EIO : 0,
					 fault);
	free(bytes);
	return err;
}

static int save_both(const struct plots *plots, const struct run_view *view,
		     const struct phase_view *phase, enum plot_kind kind, struct fault *fault)
{
	int err = save_plot(plots, view, phase, kind, PLOT_SVG, fault);

	return err ? err : save_plot(plots, view, phase, kind, PLOT_PNG, fault);
}

/*
 * DIR/plots, made if need be. The result may be somebody else's: a link in its place could lead
 * anywhere.
 */
static int open_plots(struct plots *plots, const char *dir, struct fault *fault)
{
	int err;

	if (snprintf(plots->path, sizeof(plots->path), "%s/plots", dir) >= PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s: name too long", dir);
	if (mkdir(plots->path, 0777) && errno != EEXIST)
		return fault_set(fault, -errno, "%s: %s", plots->path, strerror(errno));
	plots->fd = open(plots->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (plots->fd >= 0)
		return 0;
	err = -errno;
	/* Of a link, too, O_DIRECTORY says ENOTDIR. */
	if (err == -ENOTDIR || err == -ELOOP)
		return fault_set(fault, err,
				 "%s: is in the way: valid is a directory, not a link to one",
				 plots->path);
	return fault_set(fault, err, "%s: %s", plots->path, strerror(-err));
}

int result_save_plots(const char *dir, const struct run_view *view, struct fault *fault)
{
	struct plots plots;
	int err;

	/* An imported run has no samples. */
	if (imported_run(view->run))
		return 0;
	err = open_plots(&plots, dir, fault);
	if (err)
		return err;
	err = save_both(&plots, view, NULL, PLOT_OVERVIEW, fault);
	for (size_t i = 0; !err && i < view->n; i++)
		for (int kind = PLOT_TIME; !err && kind <= PLOT_PERCENTILE; kind++)
			if (view->phases[i].evaluation)
				err = save_both(&plots, view, &view->phases[i],
						(enum plot_kind)kind, fault);
	close(plots.fd);
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
