/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What logging in gives: groups, the lines of pam_limits, and rtkit beside them. */
#include <glob.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/account.h"
#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/privileges.h"
#include "system/processes.h"
#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define GROUP "Rights"
#define NEW_LINE "/etc/security/limits.d/audio.conf: \"@audio - rtprio 95\" and \"@audio - " \
		 "memlock unlimited\"; usermod -aG audio %s; log in again"

static const char *user_name(const struct account *account)
{
	return account->name[0] ? account->name : "USER";
}

/* Whether the user has the right already, by whatever way. */
static bool has_right(const struct doctor_params *params)
{
	const char *text = fact_text(params->environment, "rlimit_rtprio");
	int64_t limit;

	return privilege_held(CAP_SYS_NICE) || (text && !strcmp(text, "unlimited")) ||
	       (fact_int(params->environment, "rlimit_rtprio", &limit) &&
		limit >= params->priority);
}

/* ---- group ---- */

static void examine_group(const struct doctor_params *params, struct finding *finding)
{
	static const char *const names[] = { "audio", "realtime" };
	struct account account;

	if (account_read(&account) || !account.group_file) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/thread-self/status and /etc/group do "
			    "not tell");
		account_release(&account);
		return;
	}
	finding_set(finding, DOCTOR_NOT_GOOD, "%s is in neither audio nor realtime (/etc/group)",
		    user_name(&account));
	finding_cure(finding, "%susermod -aG audio %s; log in again",
		     account_has_group(&account, "audio") ? "" : "groupadd -r audio; ",
		     user_name(&account));
	for (size_t i = 0; i < 2; i++)
		if (account_enlisted(&account, names[i])) {
			finding_set(finding, DOCTOR_NOT_GOOD, "/etc/group has %s in %s, but not "
				    "this session", account.name, names[i]);
			finding_cure(finding, "log out and in again");
		}
	if (has_right(params))
		finding_set(finding, DOCTOR_GOOD, "not needed for real time: %s has the right "
			    "otherwise", user_name(&account));
	if (account.uid == 0)
		finding_set(finding, DOCTOR_GOOD, "not needed: this is root");
	for (size_t i = 0; i < 2; i++)
		if (account_in_group(&account, names[i]))
			finding_set(finding, DOCTOR_GOOD, "%s is in group %s", user_name(&account),
				    names[i]);
	if (finding->status == DOCTOR_GOOD)
		finding->cure[0] = '\0';
	account_release(&account);
}

const struct check check_group = {
	.id = "audio_group",
	.group = GROUP,
	.title = "audio group",
	.why = "the groups that distributions give sound devices and real-time limits to",
	.examine = examine_group,
};

/* ---- limits.d ---- */

/* The lines on rtprio: the one that applies to this user, and one that would to others. */
struct limit_lines {
	const struct account *account;
	int64_t wanted;
	bool readable;                   /* a file was read */
	char applies[200], others[200];  /* "FILE: LINE" */
	char others_group[64];           /* "" where it is no group's */
};

static bool applies(const struct account *account, const char *domain)
{
	if (domain[0] == '@')
		return account_in_group(account, domain + 1);
	return !strcmp(domain, "*") || (account->name[0] && !strcmp(domain, account->name));
}

/* "DOMAIN TYPE ITEM VALUE"; a hard limit alone is not in force. */
static void read_line(struct limit_lines *lines, const char *file, char *line)
{
	char text[128], *cursor = line, *word[4];
	int64_t value;

	line[strcspn(line, "#")] = '\0';
	snprintf(text, sizeof(text), "%s", line);
	for (int i = 0; i < 4; i++) {
		word[i] = procfile_next_word(&cursor);
		if (!word[i])
			return;
	}
	if (strcmp(word[2], "rtprio") || (strcmp(word[1], "-") && strcmp(word[1], "soft")))
		return;
	if (!strcmp(word[3], "unlimited") || !strcmp(word[3], "infinity"))
		value = 99;
	else if (number_i64(word[3], -1, 99, &value))
		return;
	if (value >= 0 && value < lines->wanted)
		return;
	if (applies(lines->account, word[0])) {
		snprintf(lines->applies, sizeof(lines->applies), "%.60s: \"%s %s rtprio %s\"", file,
			 word[0], word[1], word[3]);
		return;
	}
	snprintf(lines->others, sizeof(lines->others), "%.60s: \"%s %s rtprio %s\"", file, word[0],
		 word[1], word[3]);
	snprintf(lines->others_group, sizeof(lines->others_group), "%s",
		 word[0][0] == '@' ? word[0] + 1 : "");
}

/* file is the name below the root. */
static void read_file(struct limit_lines *lines, const char *file)
{
	char *text = text_read_all(file), *cursor = text, *line;

	lines->readable = lines->readable || text;
	while ((line = strsep(&cursor, "\n")))
		read_line(lines, file, line);
	free(text);
}

static void read_lines(struct limit_lines *lines)
{
	static const char pattern[] = "/etc/security/limits.d/*.conf";
	char name[PATH_MAX];
	const char *full = root_path(name, sizeof(name), pattern);
	size_t root_bytes = strlen(full) - strlen(pattern);
	glob_t found;

	read_file(lines, "/etc/security/limits.conf");
	if (glob(full, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_file(lines, found.gl_pathv[i] + root_bytes);
	globfree(&found);
}

/* A line applies: is it in force? */
static void judge_applying(const struct doctor_params *params, const struct limit_lines *lines,
			   struct finding *finding)
{
	int64_t limit;

	if (has_right(params)) {
		finding_set(finding, DOCTOR_GOOD, "%s applies to this user", lines->applies);
		return;
	}
	if (!fact_int(params->environment, "rlimit_rtprio", &limit)) {
		finding_set(finding, DOCTOR_UNKNOWN, "%s applies to this user; RLIMIT_RTPRIO is "
			    "not told", lines->applies);
		return;
	}
	finding_set(finding, DOCTOR_NOT_GOOD, "%s applies to this user, but is not in force: "
		    "RLIMIT_RTPRIO is %lld", lines->applies, (long long)limit);
	finding_cure(finding, "log out and in again; or /etc/pam.d/common-session: \"session "
		     "required pam_limits.so\"");
}

static void examine_limits(const struct doctor_params *params, struct finding *finding)
{
	struct account account;
	struct limit_lines lines = { .account = &account, .wanted = params->priority };
	int err = account_read(&account);

	read_lines(&lines);
	if (err || !lines.readable) {
		finding_set(finding, DOCTOR_UNKNOWN, "/etc/security/limits.conf and "
			    "limits.d/*.conf or /proc/thread-self/status cannot be read");
	} else if (lines.applies[0]) {
		judge_applying(params, &lines, finding);
	} else if (has_right(params)) {
		finding_set(finding, DOCTOR_GOOD, "not needed: %s", privilege_held(CAP_SYS_NICE)
			    ? "CAP_SYS_NICE is held" : "RLIMIT_RTPRIO is high enough otherwise");
	} else if (lines.others_group[0]) {
		finding_set(finding, DOCTOR_NOT_GOOD, "%s, but %s is not in that group",
			    lines.others, user_name(&account));
		finding_cure(finding, "usermod -aG %s %s; log in again", lines.others_group,
			     user_name(&account));
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "/etc/security/limits.conf and "
			    "limits.d/*.conf have no line that gives this user rtprio %d",
			    params->priority);
		finding_cure(finding, NEW_LINE, user_name(&account));
	}
	account_release(&account);
}

const struct check check_limits = {
	.id = "limits_files",
	.group = GROUP,
	.title = "limits.d",
	.why = "what users may do in real time is said there and given at login",
	.examine = examine_limits,
};

/* ---- rtkit ---- */

/* Its service file lies outside of the files of the system. */
static bool rtkit_installed(void)
{
	char text[64];

	return root_is_real() && text_read("/usr/share/dbus-1/system-services/"
					   "org.freedesktop.RealtimeKit1.service", text,
					   sizeof(text)) > 0;
}

static void examine_rtkit(const struct doctor_params *params, struct finding *finding)
{
	int pid = process_find("rtkit-daemon");
	int64_t limit;

	if (pid > 0) {
		finding_set(finding, DOCTOR_GOOD, "runs (process %d)", pid);
	} else if (rtkit_installed()) {
		finding_set(finding, DOCTOR_GOOD, "is installed and starts when it is asked");
	} else if (pid < 0) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc cannot be read");
	} else if (has_right(params)) {
		finding_set(finding, DOCTOR_GOOD, "does not run, and is not needed: this user has "
			    "the right itself");
	} else if (root_is_real() || fact_int(params->environment, "rlimit_rtprio", &limit)) {
		finding_set(finding, DOCTOR_NOT_GOOD, "no process rtkit-daemon, and no right of "
			    "this user's own");
		finding_cure(finding, "apt-get install rtkit");
	} else {
		finding_set(finding, DOCTOR_UNKNOWN, "no process rtkit-daemon; the rights of this "
			    "user are not told");
	}
}

const struct check check_rtkit = {
	.id = "rtkit",
	.group = GROUP,
	.title = "rtkit",
	.why = "PipeWire and PulseAudio ask it for real-time scheduling where the user has no "
	       "right",
	.examine = examine_rtkit,
};
