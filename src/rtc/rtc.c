/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rtc source: the periodic interrupt of /dev/rtc, as latencytest has used it since 1999. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "rtc/kernel_sources.h"
#include "system/clock.h"
#include "util/textfile.h"

struct rtc_state {
	int fd;
	unsigned int rate_hz;
};

const char *rtc_default_device(void)
{
	static const char *const devices[] = { "/dev/rtc0", "/dev/rtc" };

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (!access(devices[i], F_OK))
			return devices[i];
	return NULL;
}

static int explain_open(const char *device, int err, struct fault *fault)
{
	const char *cure;

	switch (err) {
	case EBUSY:
		cure = "another program has it open (an RTC has one user at a time): end it, "
		       "see `fuser -v` on the device";
		break;
	case EACCES:
	case EPERM:
		cure = "no permission for the device: run as root, or let your group read it "
		       "by a udev rule";
		break;
	case ENOENT:
	case ENODEV:
	case ENXIO:
		cure = "this machine has no such RTC: name one by --rtc-device, or use --source "
		       "timer";
		break;
	default:
		cure = "try --source timer";
		break;
	}
	return fault_set(fault, -err, "open %s: %s: %s", device, strerror(err), cure);
}

static int explain_rate(const char *device, unsigned int rate_hz, int err, struct fault *fault)
{
	char limit[PATH_MAX + 64], resolved[PATH_MAX];
	int64_t max_user = -1;

	switch (err) {
	case EACCES:
		/* /dev/rtc is a link to one of them. */
		snprintf(limit, sizeof(limit), "/sys/class/rtc/%s/max_user_freq",
			 basename(realpath(device, resolved) ? resolved : device));
		text_read_i64(limit, &max_user);
		return fault_set(
			fault, -err,
			"RTC_IRQP_SET %u on %s: %s: without CAP_SYS_RESOURCE the rate ends at "
			"max_user_freq = %lld Hz; run as root, or as root: echo %u > %.100s",
			rate_hz, device, strerror(err), (long long)max_user, rate_hz, limit);
	case EBUSY:
		return fault_set(fault, -err,
				 "RTC_IRQP_SET %u on %s: %s: its periodic interrupt is in use "
				 "by another program or driver", rate_hz, device, strerror(err));
	case ENOTTY:
		return fault_set(fault, -err,
				 "RTC_IRQP_SET %u on %s: %s: this is no RTC, or its driver has no "
				 "periodic interrupt; use --source timer",
				 rate_hz, device, strerror(err));
	default:
		return fault_set(fault, -err, "RTC_IRQP_SET %u on %s: %s", rate_hz, device,
				 strerror(err));
	}
}

static int rtc_open(void *state, const struct source_params *params, struct fault *fault)
{
	struct rtc_state *rtc = state;
	const char *device = params->rtc_device;
	int err;

	rtc->fd = -1;
	if (!device)
		device = rtc_default_device();
	if (!device)
		return explain_open("/dev/rtc0 and /dev/rtc", ENOENT, fault);
	rtc->rate_hz = params->rate_hz;
	rtc->fd = open(device, O_RDONLY | O_CLOEXEC);
	if (rtc->fd < 0)
		return explain_open(device, errno, fault);
	if (ioctl(rtc->fd, RTC_IRQP_SET, (unsigned long)params->rate_hz)) {
		err = errno;
		close(rtc->fd);
		rtc->fd = -1;
		return explain_rate(device, params->rate_hz, err, fault);
	}
	return 0;
}

static int rtc_start(void *state, int64_t *t0_ns, struct fault *fault)
{
	struct rtc_state *rtc = state;

	if (ioctl(rtc->fd, RTC_PIE_ON, 0))
		return fault_set(fault, -errno, "RTC_PIE_ON: %s", strerror(errno));
	*t0_ns = clock_now_ns();
	return 0;
}

static int rtc_wait(void *state, struct wake *wake)
{
	struct rtc_state *rtc = state;
	unsigned long data;
	ssize_t n;

	n = read(rtc->fd, &data, sizeof(data));
	wake->now_ns = clock_now_ns();
	if (n != (ssize_t)sizeof(data))
		return n < 0 ? -errno : -EIO;
	/*
	 * The low byte tells which kinds of interrupt came, the rest how many since the last read.
	 */
	wake->ticks = data >> 8;
	wake->lateness_ns = LATENESS_UNKNOWN;
	wake->xruns = 0;
	return wake->ticks ? 0 : -EIO;
}

static void rtc_stop(void *state)
{
	struct rtc_state *rtc = state;

	ioctl(rtc->fd, RTC_PIE_OFF, 0);
}

static void rtc_close(void *state)
{
	struct rtc_state *rtc = state;

	if (rtc->fd >= 0)
		close(rtc->fd);
	rtc->fd = -1;
}

/* The kernel's emulation of the periodic interrupt forwards its timer by whole ns. */
static int64_t rtc_slope_ns(unsigned int rate_hz)
{
	return NS_PER_SEC / rate_hz;
}

const struct source_ops source_rtc = {
	.name = "rtc",
	.summary = "periodic interrupt of the real-time clock, blocking read of /dev/rtc",
	.state_bytes = sizeof(struct rtc_state),
	.lateness = LATENESS_FITTED,
	.any_rate = false,
	.min_hz = RTC_MIN_HZ,
	.max_hz = RTC_MAX_HZ,
	.open = rtc_open,
	.start = rtc_start,
	.stop = rtc_stop,
	.close = rtc_close,
	.wait = rtc_wait,
	.slope_ns = rtc_slope_ns,
};
