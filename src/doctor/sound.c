/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sound card: whether it may be opened, and how its interrupt gets through. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/interrupts.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define GROUP "Sound"
#define CARDS_MAX 32
#define IRQS_MAX 32
#define THREAD_PRIORITY_MAX 95 /* above it are the kernel's own watchdogs and migration */

/* The interrupts of the card, or of the controller that it hangs on. */
struct card {
	int number;             /* -1: there is none */
	char device[64];        /* "0000:00:1f.3", "" where it is not found */
	int64_t irq[IRQS_MAX];
	size_t n;
};

static bool exists(const char *path)
{
	char name[PATH_MAX];

	return !access(root_path(name, sizeof(name), path), F_OK);
}

static int find_number(const struct doctor_params *params)
{
	char path[64];

	for (int i = params->card < 0 ? 0 : params->card; i < CARDS_MAX; i++) {
		snprintf(path, sizeof(path), "/sys/class/sound/card%d", i);
		if (exists(path))
			return i;
		if (params->card >= 0)
			break;
	}
	return -1;
}

static void add_irq(struct card *card, const char *text)
{
	int64_t irq;

	if (card->n < IRQS_MAX && !number_i64(text, 1, INT32_MAX, &irq))
		card->irq[card->n++] = irq;
}

/* directory is a name as it is opened. Whether the device has interrupts of its own. */
static bool read_irqs(struct card *card, const char *directory)
{
	char path[PATH_MAX + 16], text[32];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/msi_irqs", directory);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		add_irq(card, entry->d_name);
	if (dir)
		closedir(dir);
	if (card->n)
		return true;
	snprintf(path, sizeof(path), "%s/irq", directory);
	if (text_read(path, text, sizeof(text)) > 0)
		add_irq(card, text);
	return card->n > 0;
}

/* A USB card has none of its own: the first device above it that has. */
static void find_card(const struct doctor_params *params, struct card *card)
{
	char link[64], name[PATH_MAX], directory[PATH_MAX], *slash;

	memset(card, 0, sizeof(*card));
	card->number = find_number(params);
	snprintf(link, sizeof(link), "/sys/class/sound/card%d/device", card->number);
	if (card->number < 0 || !realpath(root_path(name, sizeof(name), link), directory))
		return;
	while (!read_irqs(card, directory)) {
		slash = strrchr(directory, '/');
		if (!slash || slash == directory || !strcmp(slash, "/devices"))
			return;
		*slash = '\0';
	}
	slash = strrchr(directory, '/');
	snprintf(card->device, sizeof(card->device), "%.60s", slash ? slash + 1 : directory);
}

static bool no_card(const struct card *card, struct finding *finding)
{
	if (card->number >= 0 && card->n)
		return false;
	if (card->number < 0)
		finding_set(finding, DOCTOR_UNKNOWN, "no such card in /sys/class/sound");
	else
		finding_set(finding, DOCTOR_UNKNOWN, "/sys/class/sound/card%d/device leads to no "
			    "device with an interrupt", card->number);
	return true;
}

/* ---- access ---- */

static void examine_access(const struct doctor_params *params, struct finding *finding)
{
	int number = find_number(params);
	char path[64];

	snprintf(path, sizeof(path), "/dev/snd/controlC%d", number);
	if (number < 0) {
		finding_set(finding, DOCTOR_UNKNOWN, "no such card in /sys/class/sound");
	} else if (!root_is_real()) {
		finding_set(finding, DOCTOR_UNKNOWN, "can be tried on the machine itself only");
	} else if (!access(path, R_OK | W_OK)) {
		finding_set(finding, DOCTOR_GOOD, "%s can be opened", path);
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "%s: %s", path, strerror(errno));
		finding_cure(finding, errno == EACCES
			     ? "usermod -aG audio USER; log in again"
			     : "the card's device nodes: modprobe snd-pcm; udevadm trigger -s "
			       "sound");
	}
}

const struct check check_sound_access = {
	.id = "sound_access",
	.group = GROUP,
	.title = "sound device",
	.why = "who cannot open the card hears it through a server, later and by its settings",
	.examine = examine_access,
};

/* ---- sharing ---- */

static void examine_irq(const struct doctor_params *params, struct finding *finding)
{
	char name[256], found[300] = "", shared[300] = "";
	struct card card;

	find_card(params, &card);
	if (no_card(&card, finding))
		return;
	for (size_t i = 0; i < card.n; i++) {
		if (interrupts_name(card.irq[i], name, sizeof(name)))
			continue;
		list_add(found, sizeof(found), "%lld (%.100s)", (long long)card.irq[i], name);
		/* More than one handler: "16-fasteoi ehci_hcd:usb1, snd_hda_intel". */
		if (strchr(name, ','))
			list_add(shared, sizeof(shared), "%lld "
				 "(%.100s)", (long long)card.irq[i], name);
	}
	if (!found[0]) {
		finding_set(finding, DOCTOR_UNKNOWN, "card %d, %s: its interrupt is not in "
			    "/proc/interrupts", card.number, card.device);
	} else if (shared[0]) {
		finding_set(finding, DOCTOR_NOT_GOOD, "card %d, %s: shares interrupt "
			    "%s", card.number,
			    card.device, shared);
		finding_cure(finding, "another slot or port for the card, or the other device off: "
			     "echo %s > /sys/bus/pci/drivers/DRIVER/unbind (its address in place "
			     "of %s)",
			     card.device, card.device);
	} else {
		finding_set(finding, DOCTOR_GOOD, "card %d, %s: interrupt %s, not "
			    "shared", card.number,
			    card.device, found);
	}
}

const struct check check_sound_irq = {
	.id = "sound_irq",
	.group = GROUP,
	.title = "sound interrupt",
	.why = "on a shared line the handlers of all the devices run before the card's interrupt "
	       "is done",
	.examine = examine_irq,
};

/* ---- its thread ---- */

struct irq_thread {
	int64_t priority; /* the highest of those found, -1: none */
	int64_t pid;
};

static void find_thread(const struct doctor_params *params, const struct card *card,
			struct irq_thread *found)
{
	const json_t *thread;
	size_t i;

	found->priority = -1;
	json_array_foreach(json_object_get(params->environment, "rt_threads"), i, thread) {
		const char *comm = fact_text(thread, "comm");
		int64_t priority, pid;
		long long irq;

		if (!comm || sscanf(comm, "irq/%9lld-", &irq) != 1 ||
		    !fact_int(thread, "priority", &priority) || !fact_int(thread, "pid", &pid))
			continue;
		for (size_t k = 0; k < card->n; k++)
			if (card->irq[k] == irq && priority > found->priority)
				*found = (struct irq_thread){ priority, pid };
	}
}

static void judge_thread(const struct doctor_params *params, const struct irq_thread *thread,
			 struct finding *finding)
{
	int wanted = params->priority + 5;

	if (thread->priority > params->priority) {
		finding_set(finding, DOCTOR_GOOD, "thread %lld at priority %lld, above the %d of "
			    "the audio thread", (long long)thread->pid, (long long)thread->priority,
			    params->priority);
		return;
	}
	finding_set(finding, DOCTOR_NOT_GOOD, "thread %lld at priority %lld, not above the %d of "
		    "the audio thread", (long long)thread->pid, (long long)thread->priority,
		    params->priority);
	if (params->priority < THREAD_PRIORITY_MAX)
		finding_cure(finding, "chrt -f -p %d %lld; at each start: apt-get install "
			     "rtirq-init",
			     wanted < THREAD_PRIORITY_MAX ? wanted : THREAD_PRIORITY_MAX,
			     (long long)thread->pid);
	else
		finding_cure(finding, "audio threads below priority %d, then chrt -f -p %d %lld",
			     THREAD_PRIORITY_MAX, THREAD_PRIORITY_MAX, (long long)thread->pid);
}

static void examine_irq_thread(const struct doctor_params *params, struct finding *finding)
{
	struct irq_thread thread;
	struct card card;
	bool threaded;

	find_card(params, &card);
	if (no_card(&card, finding))
		return;
	find_thread(params, &card, &thread);
	if (thread.priority >= 0)
		judge_thread(params, &thread, finding);
	else if (!json_is_array(json_object_get(params->environment, "rt_threads")) ||
		 !fact_bool(params->environment, "threadirqs", &threaded) || threaded)
		finding_set(finding, DOCTOR_UNKNOWN, "no thread irq/N-... of card %d in /proc",
			    card.number);
	else
		finding_set(finding, DOCTOR_GOOD, "no thread: the handler runs before all threads");
}

const struct check check_sound_irq_thread = {
	.id = "sound_irq_thread",
	.group = GROUP,
	.title = "sound interrupt's thread",
	.why = "below the audio thread's priority, or another's, it is the last to hear of the "
	       "card",
	.examine = examine_irq_thread,
};
