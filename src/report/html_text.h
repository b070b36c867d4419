/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from outside on its way into HTML or XML. */
#ifndef LT_REPORT_HTML_TEXT_H
#define LT_REPORT_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * A copy in which every byte that is not UTF-8, and every character that XML does not allow, is
 * U+FFFD; white space is a blank ("" for NULL). The caller frees it; NULL without memory.
 */
char *text_clean(const char *text);

/* Writes text so that it stands for itself in XML and HTML, in elements and in attributes. */
void html_escape(FILE *out, const char *text);

void html_base64(FILE *out, const unsigned char *bytes, size_t length);

#endif
