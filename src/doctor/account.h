/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who runs this, by the files of the system. */
#ifndef LT_DOCTOR_ACCOUNT_H
#define LT_DOCTOR_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

struct account {
	int64_t uid;
	char name[64];      /* of /etc/passwd; "" where it is not there */
	char groups[1024];  /* numbers in force, parted by blanks */
	char *group_file;   /* text of /etc/group, NULL where it cannot be read */
};

/* 0, or -ENOENT where /proc does not tell. What was read is the caller's to release in any case. */
int account_read(struct account *account);
void account_release(struct account *account);

/* Whether this process is in the group now. */
bool account_in_group(const struct account *account, const char *group);

/* Whether /etc/group has the user in it, so that the next login will be. */
bool account_enlisted(const struct account *account, const char *group);

/* Whether there is such a group. */
bool account_has_group(const struct account *account, const char *group);

#endif
