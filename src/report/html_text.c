/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the UTF-8 character at text, or 0 where there is none. */
static size_t utf8_length(const unsigned char *text, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length;

	if (text[0] < 0x80) {
		*character = text[0];
		return 1;
	}
	if (text[0] >= 0xf0 && text[0] <= 0xf4)
		length = 4;
	else if (text[0] >= 0xe0 && text[0] <= 0xef)
		length = 3;
	else if (text[0] >= 0xc2 && text[0] <= 0xdf)
		length = 2;
	else
		return 0;
	*character = text[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (text[i] & 0x3f);
	}
	return *character >= least[length] ? length : 0;
}

static bool allowed(uint32_t character)
{
	return character >= 0x20 && !(character >= 0x7f && character <= 0x9f) &&
	       !(character >= 0xd800 && character <= 0xdfff) && character != 0xfffe &&
	       character != 0xffff && character <= 0x10ffff;
}

char *text_clean(const char *text)
{
	const unsigned char *from = (const unsigned char *)(text ? text : "");
	char *copy = malloc(3 * strlen((const char *)from) + 1), *to = copy;

	if (!copy)
		return NULL;
	while (*from) {
		uint32_t character = 0;
		size_t length = utf8_length(from, &character);

		if (character == '\t' || character == '\n' || character == '\r') {
			*to++ = ' ';
		} else if (length && allowed(character)) {
			memcpy(to, from, length);
			to += length;
		} else {
			memcpy(to, REPLACEMENT, 3);
			to += 3;
		}
		from += length ? length : 1;
	}
	*to = '\0';
	return copy;
}

void html_escape(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	for (const char *at = clean; at && *at; at++) {
		switch (*at) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*at, out);
		}
	}
	free(clean);
}

void html_base64(FILE *out, const unsigned char *bytes, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < length; i += 3) {
		size_t n = length - i < 3 ? length - i : 3;
		uint32_t word = (uint32_t)bytes[i] << 16;

		if (n > 1)
			word |= (uint32_t)bytes[i + 1] << 8;
		if (n > 2)
			word |= bytes[i + 2];
		fputc(digits[word >> 18], out);
		fputc(digits[word >> 12 & 63], out);
		fputc(n > 1 ? digits[word >> 6 & 63] : '=', out);
		fputc(n > 2 ? digits[word & 63] : '=', out);
	}
}
