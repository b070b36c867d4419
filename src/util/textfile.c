/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/number.h"
#include "util/root.h"

/* Fills buf until the file or the room ends. Returns the bytes read or a negative errno. */
static ssize_t read_fully(int fd, char *buf, size_t room)
{
	size_t used = 0;

	while (used < room) {
		ssize_t n = read(fd, buf + used, room - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

static int open_text(const char *path)
{
	char name[PATH_MAX];

	return open(root_path(name, sizeof(name), path), O_RDONLY | O_CLOEXEC);
}

int text_read(const char *path, char *buf, size_t size)
{
	int fd = open_text(path);
	ssize_t n;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read_fully(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return (int)n;
	while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == ' ' || buf[n - 1] == '\t'))
		n--;
	buf[n] = '\0';
	return (int)n;
}

int text_read_i64(const char *path, int64_t *value)
{
	char buf[64];
	int err = text_read(path, buf, sizeof(buf));

	if (err < 0)
		return err;
	return number_i64(buf, INT64_MIN, INT64_MAX, value);
}

char *text_read_all(const char *path)
{
	int fd = open_text(path);
	size_t size = 16384, used = 0;
	char *buf;

	if (fd < 0)
		return NULL;
	buf = malloc(size);
	while (buf) {
		ssize_t n = read_fully(fd, buf + used, size - 1 - used);
		char *larger;

		if (n < 0) {
			free(buf);
			close(fd);
			errno = (int)-n;
			return NULL;
		}
		used += (size_t)n;
		if (used < size - 1)
			break;
		larger = realloc(buf, size *= 2);
		if (!larger)
			free(buf);
		buf = larger;
	}
	close(fd);
	if (buf)
		buf[used] = '\0';
	return buf;
}
