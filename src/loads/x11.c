/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws in a window: scrolls it, puts images, fills and text. One step is some drawing of one of
 * these kinds and an XSync(), so that the server has really done it.
 */
#include "config.h"

#include "loads/load_child.h"
#include "loads/stressors.h"

#if HAVE_X11

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "loads/xvfb.h"
#include "system/clock.h"

#define SIZE 500
#define SCROLL_BY 10
#define MAP_TIMEOUT_NS (10 * NS_PER_SEC)
#define POLL_MS 100

#define SCROLLS 8
#define IMAGES 2
#define FILLS 32
#define TEXTS 32

struct x11 {
	struct xvfb xvfb; /* pid 0: the display of the user is used */
	Display *display;
	Window window;
	GC gc;
	XImage *image;
	XShmSegmentInfo shm;
	bool has_shm;
	unsigned int turn;
	uint32_t random;
};

/* Xlib calls its handlers without a pointer of ours. There is one connection in this process. */
static sigjmp_buf connection_lost;
static int error_code;
static int error_request;

static int on_x_error(Display *display, XErrorEvent *event)
{
	(void)display;
	if (!error_code) {
		error_code = event->error_code;
		error_request = event->request_code;
	}
	return 0;
}

/* Returning from here would make Xlib call exit(). Its connection is never used again. */
static int on_lost_connection(Display *display)
{
	(void)display;
	siglongjmp(connection_lost, 1);
}

/* Waits until the server has done all. A negative errno where it refused something. */
static int finish_requests(struct x11 *x, struct fault *fault)
{
	char text[128];

	XSync(x->display, False);
	if (!error_code)
		return 0;
	XGetErrorText(x->display, error_code, text, sizeof(text));
	return fault_set(fault, -EPROTO, "the X server refused request %d: %s", error_request,
			 text);
}

static unsigned int next_random(struct x11 *x)
{
	x->random = x->random * 1664525U + 1013904223U;
	return x->random >> 8;
}

/* A display that is set is used or the stressor is skipped; another is never put in its place. */
static int open_display(struct x11 *x, struct fault *fault)
{
	const char *name = getenv("DISPLAY"), *authority = getenv("XAUTHORITY");
	char own_name[16];
	int err;

	if (name && name[0]) {
		x->display = XOpenDisplay(name);
		if (x->display)
			return 0;
		return fault_set(fault, LOAD_SKIP,
				 "cannot open display %.64s (XAUTHORITY is %.128s); under sudo "
				 "keep the user's: sudo --preserve-env=DISPLAY,XAUTHORITY, where "
				 "XAUTHORITY is ~/.Xauthority if the user has none",
				 name, authority ? authority : "not set");
	}
	err = xvfb_start(&x->xvfb, fault);
	if (err)
		return err;
	XSetAuthorization((char *)XVFB_COOKIE_NAME, sizeof(XVFB_COOKIE_NAME) - 1, x->xvfb.cookie,
			  XVFB_COOKIE_SIZE);
	snprintf(own_name, sizeof(own_name), ":%d", x->xvfb.display);
	x->display = XOpenDisplay(own_name);
	if (!x->display)
		return fault_set(fault, -ECONNREFUSED, "cannot open display %s of our own Xvfb",
				 own_name);
	return 0;
}

/* Nothing is drawn before the window is on the screen: the work would be none. */
static int wait_exposed(struct x11 *x, struct fault *fault)
{
	int64_t begin = clock_now_ns();
	XEvent event;

	while (!load_stopping()) {
		struct pollfd pfd = { .fd = ConnectionNumber(x->display), .events = POLLIN };

		while (XPending(x->display)) {
			XNextEvent(x->display, &event);
			if (event.type == Expose)
				return 0;
		}
		if (clock_now_ns() - begin > MAP_TIMEOUT_NS)
			return fault_set(fault, -ETIMEDOUT,
					 "the window did not come on the screen within %lld s",
					 MAP_TIMEOUT_NS / NS_PER_SEC);
		poll(&pfd, 1, POLL_MS);
	}
	return fault_set(fault, -EINTR, "asked to end");
}

static int make_window(struct x11 *x, struct fault *fault)
{
	Display *d = x->display;
	int screen = DefaultScreen(d);
	XGCValues values = { .graphics_exposures = False };
	XSizeHints hints = {
		/* A fixed size, so that tiling window managers leave it as it is. */
		.flags = PSize | PMinSize | PMaxSize,
		.width = SIZE, .height = SIZE,
		.min_width = SIZE, .min_height = SIZE,
		.max_width = SIZE, .max_height = SIZE,
	};
	int err;

	x->window = XCreateSimpleWindow(d, RootWindow(d, screen), 0, 0, SIZE, SIZE, 0,
					BlackPixel(d, screen), WhitePixel(d, screen));
	x->gc = XCreateGC(d, x->window, GCGraphicsExposures, &values);
	XStoreName(d, x->window, "latencytest: x11 stressor");
	XSetWMNormalHints(d, x->window, &hints);
	XSelectInput(d, x->window, ExposureMask | StructureNotifyMask);
	XMapWindow(d, x->window);
	err = finish_requests(x, fault);
	return err ? err : wait_exposed(x, fault);
}

/*
 * An image in memory that the server sees too. False where that cannot be had: no MIT-SHM, or a
 * server on another machine or in another container.
 */
static bool make_shared_image(struct x11 *x)
{
	Display *d = x->display;
	int screen = DefaultScreen(d);

	if (!XShmQueryExtension(d))
		return false;
	x->image = XShmCreateImage(d, DefaultVisual(d, screen),
				   (unsigned int)DefaultDepth(d, screen), ZPixmap, NULL, &x->shm,
				   SIZE, SIZE);
	if (!x->image)
		return false;
	x->shm.shmid = shmget(IPC_PRIVATE, (size_t)x->image->bytes_per_line * SIZE,
			      IPC_CREAT | 0600);
	if (x->shm.shmid < 0)
		goto no_segment;
	x->shm.shmaddr = shmat(x->shm.shmid, NULL, 0);
	/*
	 * Linux lets the server attach to what is marked for removal, so that it is marked before
	 * anything else can happen and never outlives the two of us.
	 */
	shmctl(x->shm.shmid, IPC_RMID, NULL);
	if (x->shm.shmaddr == (void *)-1)
		goto no_segment;
	x->image->data = x->shm.shmaddr;
	x->shm.readOnly = False;
	error_code = 0;
	XShmAttach(d, &x->shm);
	XSync(d, False);
	if (!error_code)
		return true;
	error_code = 0; /* the plain way will do */
	shmdt(x->shm.shmaddr);
no_segment:
	x->image->data = NULL;
	XDestroyImage(x->image);
	x->image = NULL;
	return false;
}

static int make_image(struct x11 *x, struct fault *fault)
{
	Display *d = x->display;
	int screen = DefaultScreen(d);
	size_t size;

	x->has_shm = make_shared_image(x);
	if (!x->has_shm)
		x->image = XCreateImage(d, DefaultVisual(d, screen),
					(unsigned int)DefaultDepth(d, screen), ZPixmap, 0, NULL,
					SIZE, SIZE, 32, 0);
	if (!x->image)
		return fault_set(fault, -ENOMEM, "cannot make an image of this display's kind");
	size = (size_t)x->image->bytes_per_line * SIZE;
	if (!x->has_shm)
		x->image->data = malloc(size);
	if (!x->image->data)
		return fault_set(fault, -ENOMEM, "out of memory");
	for (size_t i = 0; i < size; i++)
		x->image->data[i] = (char)next_random(x);
	return 0;
}

static int64_t scroll(struct x11 *x)
{
	for (int i = 0; i < SCROLLS; i++) {
		XCopyArea(x->display, x->window, x->window, x->gc, 0, SCROLL_BY, SIZE,
			  SIZE - SCROLL_BY, 0, 0);
		XSetForeground(x->display, x->gc, next_random(x) & 0xffffff);
		XFillRectangle(x->display, x->window, x->gc, 0, SIZE - SCROLL_BY, SIZE, SCROLL_BY);
	}
	return 2 * SCROLLS;
}

static int64_t put_images(struct x11 *x)
{
	size_t line = (size_t)x->image->bytes_per_line;

	/* No two images are the same. The server is done with the last one since XSync(). */
	memset(x->image->data + line * (next_random(x) % SIZE), (int)next_random(x), line);
	for (int i = 0; i < IMAGES; i++) {
		if (x->has_shm)
			XShmPutImage(x->display, x->window, x->gc, x->image, 0, 0, 0, 0, SIZE, SIZE,
				     False);
		else
			XPutImage(x->display, x->window, x->gc, x->image, 0, 0, 0, 0, SIZE, SIZE);
	}
	return IMAGES;
}

static int64_t fill(struct x11 *x)
{
	for (int i = 0; i < FILLS; i++) {
		XSetForeground(x->display, x->gc, next_random(x) & 0xffffff);
		XFillRectangle(x->display, x->window, x->gc, (int)(next_random(x) % (SIZE / 2)),
			       (int)(next_random(x) % (SIZE / 2)), SIZE / 2, SIZE / 2);
	}
	return FILLS;
}

static int64_t write_text(struct x11 *x)
{
	static const char text[] = "The quick brown fox jumps over the lazy dog. 0123456789";

	for (int i = 0; i < TEXTS; i++) {
		XSetForeground(x->display, x->gc, next_random(x) & 0xffffff);
		XDrawString(x->display, x->window, x->gc, (int)(next_random(x) % (SIZE / 4)),
			    (int)(next_random(x) % SIZE), text, sizeof(text) - 1);
	}
	return TEXTS;
}

/* Drawing in a window that is not on the screen is no work: better none than a smooth result. */
static int check_window(struct x11 *x, struct fault *fault)
{
	XEvent event;

	while (XEventsQueued(x->display, QueuedAlready)) {
		XNextEvent(x->display, &event);
		if (event.type == UnmapNotify || event.type == DestroyNotify)
			return fault_set(fault, -ENXIO, "its window was hidden or closed");
	}
	return 0;
}

static int64_t draw(struct x11 *x, struct fault *fault)
{
	static int64_t (*const kinds[])(struct x11 *) = { scroll, put_images, fill, write_text };
	int64_t done = kinds[x->turn++ % 4](x);
	int err = finish_requests(x, fault);

	if (!err)
		err = check_window(x, fault);
	return err ? err : done;
}

static int64_t x11_step(void *state, struct fault *fault)
{
	if (sigsetjmp(connection_lost, 0)) {
		((struct x11 *)state)->display = NULL;
		return fault_set(fault, -EPIPE,
				 "lost the X server: it ended, or somebody closed the window");
	}
	return draw(state, fault);
}

static void x11_finish(void *state)
{
	struct x11 *x = state;

	/* A server that is gone already has no connection to close. */
	if (x->display && !sigsetjmp(connection_lost, 0)) {
		if (x->image && x->has_shm)
			XShmDetach(x->display, &x->shm);
		if (x->image)
			XDestroyImage(x->image);
		XCloseDisplay(x->display);
	}
	xvfb_stop(&x->xvfb);
	free(x);
}

static int set_up(struct x11 *x, struct fault *fault)
{
	int err;

	if (sigsetjmp(connection_lost, 0)) {
		x->display = NULL;
		return fault_set(fault, -EPIPE, "lost the X server in preparing");
	}
	err = open_display(x, fault);
	if (!err)
		err = make_window(x, fault);
	return err ? err : make_image(x, fault);
}

static int x11_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	struct x11 *x = calloc(1, sizeof(*x));
	int err;

	(void)params;
	if (!x)
		return fault_set(fault, -ENOMEM, "out of memory");
	XSetErrorHandler(on_x_error);
	XSetIOErrorHandler(on_lost_connection);
	err = set_up(x, fault);
	if (err)
		x11_finish(x);
	else
		*state = x;
	return err;
}

#else

static int x11_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	(void)params;
	(void)state;
	return fault_set(fault, LOAD_SKIP, "built without X11 (--without-x)");
}

static int64_t x11_step(void *state, struct fault *fault)
{
	(void)state;
	return fault_set(fault, LOAD_SKIP, "built without X11 (--without-x)");
}

static void x11_finish(void *state)
{
	(void)state;
}

#endif

const struct stressor stressor_x11 = {
	.name = "x11",
	.summary = "scrolls, puts images, fills and writes text in a 500x500 window",
	.unit = "operations",
	.in_default = true,
	.prepare = x11_prepare,
	.step = x11_step,
	.finish = x11_finish,
};
