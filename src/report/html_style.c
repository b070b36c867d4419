/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_parts.h"

/* Light by default, dark where the reader prefers it, always light on paper. */
static const char colours[] =
	":root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f8;--ink:#22272e;--muted:#57606a;"
	"--line:#d8dce0;--link:#0060a0;--good:#00684c;--warn:#7a5200;--bad:#a82d00;"
	"--rest:#57606a}\n"
	"@media screen and (prefers-color-scheme:dark){:root{--bg:#14171a;--panel:#1c2024;"
	"--ink:#e8eaec;--muted:#a3abb3;--line:#363c43;--link:#7cc0f0;--good:#3fd0a4;--warn:#f0c04c;"
	"--bad:#ff8a63;--rest:#a3abb3}}\n";

static const char layout[] =
	"*{box-sizing:border-box}\n"
	"html{-webkit-text-size-adjust:100%}\n"
	"body{margin:0;background:var(--bg);color:var(--ink);"
	"font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",sans-serif}\n"
	"main,header,footer,nav{max-width:1064px;margin:0 auto;padding:0 32px}\n"
	"header{padding-top:36px}\n"
	"h1,h2,h3,h4{line-height:1.25;margin:0;font-weight:650;overflow-wrap:anywhere}\n"
	"h1{font-size:1.9rem;letter-spacing:-.01em}\n"
	"h2{font-size:1.35rem;margin:2.6rem 0 .8rem;padding-top:1.1rem;"
	"border-top:1px solid var(--line)}\n"
	"h3{font-size:1.05rem;margin:1.6rem 0 .5rem}\n"
	"h4{font-size:.95rem;margin:1.1rem 0 .35rem;color:var(--muted)}\n"
	"p{margin:.5rem 0;max-width:85ch;overflow-wrap:anywhere}\n"
	"a{color:var(--link)}\n"
	".muted,figcaption,footer{color:var(--muted);font-size:.875rem}\n"
	".verdict{font-size:1.15rem;padding:.9rem 1.1rem;margin:1.2rem 0;background:var(--panel);"
	"border-left:4px solid var(--muted);max-width:none}\n"
	"nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:1rem 0 0;"
	"padding:0;font-size:.9rem}\n"
	".phases{list-style:none;margin:0;padding:0}\n"
	".phases li{padding:.55rem 0;border-bottom:1px solid var(--line)}\n"
	".phases li:last-child{border:0}\n"
	".phases p{margin:.2rem 0}\n"
	".reasons{margin:.3rem 0;padding-left:1.2rem;color:var(--muted);font-size:.9rem;"
	"max-width:80ch;overflow-wrap:anywhere}\n"
	".badge{display:inline-block;font-size:.72rem;font-weight:600;letter-spacing:.03em;"
	"border:1px solid currentColor;border-radius:99px;padding:.05rem .6rem;margin-left:.5rem;"
	"vertical-align:.12em;color:var(--rest);white-space:nowrap}\n"
	".valid,.complete{color:var(--good)}.suspect,.interrupted,.running{color:var(--warn)}"
	".invalid,.failed{color:var(--bad)}\n"
	"figure{margin:1rem 0 1.4rem}\n"
	"figcaption{margin-top:.35rem;max-width:80ch}\n"
	".scroll{overflow-x:auto;max-width:100%}\n"
	".scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}\n"
	"img{display:block;width:100%;min-width:640px;height:auto;border:1px solid var(--line);"
	"border-radius:4px}\n"
	"img.dark{display:none}\n"
	"@media screen and (prefers-color-scheme:dark){img.dark{display:block}"
	"img.light{display:none}}\n";

static const char tables[] =
	"table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;"
	"margin:.4rem 0 1rem}\n"
	"caption{text-align:left;color:var(--muted);padding:.2rem 0 .4rem}\n"
	"th,td{padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top;"
	"border-bottom:1px solid var(--line)}\n"
	"thead th{vertical-align:bottom;font-weight:600;border-bottom-color:var(--muted)}\n"
	"tbody th{font-weight:400}\n"
	".wide{width:100%}\n"
	".wide td,.wide thead th:not(:first-child),.n{text-align:right;white-space:nowrap}\n"
	".wide tbody th{font-weight:600;min-width:6rem;overflow-wrap:break-word}\n"
	".pairs th{width:18rem;color:var(--muted)}\n"
	".pairs td{overflow-wrap:anywhere;min-width:8rem}\n"
	".pairs table{margin:0}.pairs td td,.pairs td th{font-size:.83rem;width:auto}\n"
	".pairs tr:last-child>td,.pairs tr:last-child>th{border-bottom:0}\n"
	".columns{columns:2 26rem;column-gap:2.5rem}\n"
	".columns>section{break-inside:avoid}.columns table{width:100%}"
	".columns td{text-align:right}\n"
	"code{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;font-size:.85em;"
	"overflow-wrap:anywhere}\n"
	"details{margin:.6rem 0;border:1px solid var(--line);border-radius:4px;padding:0 1rem}\n"
	"summary{cursor:pointer;padding:.55rem 0;font-weight:600}\n"
	"footer{padding-top:1.2rem;padding-bottom:3rem}\n";

static const char narrow_and_paper[] =
	"@media (max-width:600px){main,header,footer,nav{padding-left:16px;padding-right:16px}"
	"h1{font-size:1.45rem}.pairs th{width:9.5rem}.verdict{font-size:1.05rem}}\n"
	"@media print{@page{margin:14mm}html{font-size:12px}body{font-size:10pt}"
	"main,header,footer{max-width:none;"
	"padding:0}nav{display:none}img{min-width:0;border:0}.scroll{overflow:visible}"
	"h2,h3,h4,summary,caption{break-after:avoid}figure,tr,li,.verdict{break-inside:avoid}"
	"h2{margin-top:1.2rem;padding-top:.6rem}#summary .scroll{break-inside:avoid}"
	".phase{break-before:page;break-inside:avoid}.phase h2{margin:0;border:0;padding:0}"
	".phase figure{margin:.3rem 0 .5rem}.phase img{width:72%}p,figcaption{max-width:none}"
	"details{border:0;padding:0}details:not([open]){display:none}"
	"table{font-size:8.5pt}a{color:inherit;text-decoration:none}}\n";

void html_style(FILE *out)
{
	fputs("<style>\n", out);
	fputs(colours, out);
	fputs(layout, out);
	fputs(tables, out);
	fputs(narrow_and_paper, out);
	fputs("</style>\n", out);
}
