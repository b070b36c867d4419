# SPDX-License-Identifier: GPL-2.0-or-later
# Rows of the lab's table, tab separated, out of the run.json files that it reads: one a phase and
# guest, by phase. Call with --slurp and --argjson names '["GUEST", ...]'.
def cell: if . == null then "-" elif type == "number" then (. * 1000 | round / 1000 | tostring) else tostring end;

["phase", "guest", "source", "status", "overruns", "missed", "max diff ms", "late finish",
	"median us", "p99 us", "max us"],
([to_entries[] | .key as $i | .value.conditions.source as $source |
	.value.phases // [] | to_entries[] |
	{ order: .key, phase: .value.name, guest: $names[$i], source: $source, status: .value.status,
	  thread: ((.value.threads // [])[0] // {}) }] |
	group_by(.order)[][] |
	[.phase, .guest, .source, .status, .thread.overruns, .thread.missed_cycles,
	 .thread.max_diff_ms, .thread.late_finishes,
	 .thread.lateness_median_us, .thread.lateness_p99_us, .thread.lateness_max_us] |
	map(cell)) | @tsv
