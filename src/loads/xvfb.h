/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A private X server without a screen, for machines where no display is set. */
#ifndef LT_LOADS_XVFB_H
#define LT_LOADS_XVFB_H

#include <sys/types.h>

#include "util/fault.h"

#define XVFB_COOKIE_NAME "MIT-MAGIC-COOKIE-1"
#define XVFB_COOKIE_SIZE 16

struct xvfb {
	pid_t pid;
	int display; /* its number */
	char cookie[XVFB_COOKIE_SIZE]; /* only who shows it is let in */
};

/*
 * Starts Xvfb and waits until it takes connections. It ends when the calling process dies or
 * closes its last connection, and takes its lock and socket in /tmp with it. 0, LOAD_SKIP where
 * it is not installed, -EINTR on SIGTERM, or another negative errno; with the reason in fault.
 */
int xvfb_start(struct xvfb *xvfb, struct fault *fault);

/* Ends and reaps it. */
void xvfb_stop(struct xvfb *xvfb);

#endif
