/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison for programs: CSV (RFC 4180, a header line and \n) and JSON. */
#include "report/compare.h"

#include <errno.h>
#include <math.h>

#include "report/csv.h"
#include "util/jx.h"

/* ---- CSV ---- */

/* Empty where it is not known; "missed" where it lies among missed cycles. */
static void put_number(FILE *out, double value)
{
	fputc(',', out);
	if (isinf(value))
		fputs(value < 0 ? "-missed" : "missed", out);
	else if (!isnan(value))
		fprintf(out, "%.10g", value);
}

static void put_csv_row(FILE *out, const struct compare *compare, const struct compare_row *row,
			size_t side)
{
	const struct compare_cell *cell = &row->cells[side];
	const struct compare_test *test = &row->tests[side];

	csv_put_text(out, row->phase);
	fprintf(out, ",%s,", row->metric->key);
	csv_put_text(out, compare->sides[side].label);
	fprintf(out, ",%zu", cell->n);
	put_number(out, cell->n ? cell->median : NAN);
	put_number(out, cell->interval.low);
	put_number(out, cell->interval.high);
	put_number(out, cell->n ? cell->interval.confidence : NAN);
	if (!side) {
		fputs(",,,,,,,,,\n", out);
		return;
	}
	put_number(out, test->effect);
	put_number(out, test->interval.low);
	put_number(out, test->interval.high);
	fputc(',', out);
	csv_put_text(out, test->method == COMPARE_NO_TEST ? "" : compare_method_name(test));
	put_number(out, test->p);
	put_number(out, test->p_adjusted);
	fprintf(out, ",%.1s,%s,", test->mark == MARK_NONE ? "" : compare_mark_text(test),
		test->flagged ? "yes" : "no");
	csv_put_text(out, test->why ? test->why : "");
	fputc('\n', out);
}

int compare_write_csv(FILE *out, const struct compare *compare)
{
	fputs("phase,metric,label,n,median,median_low,median_high,median_confidence,difference,"
	      "difference_low,difference_high,test,p,p_adjusted,mark,flagged,why\n", out);
	for (size_t i = 0; i < compare->n_rows; i++)
		for (size_t side = 0; side < compare->n_sides; side++)
			put_csv_row(out, compare, &compare->rows[i], side);
	return ferror(out) ? -EIO : 0;
}

/* ---- JSON ---- */

static void put_value(json_t *object, const char *key, double value)
{
	if (isinf(value))
		jx_put(object, key, json_string(value < 0 ? "-missed" : "missed"));
	else
		jx_put_real(object, key, value);
}

static void put_interval(json_t *object, const char *key, const struct stats_interval *interval)
{
	json_t *part;

	if (isnan(interval->low) || isnan(interval->high)) {
		jx_put(object, key, json_null());
		return;
	}
	part = json_object();
	put_value(part, "low", interval->low);
	put_value(part, "high", interval->high);
	jx_put_real(part, "confidence", interval->confidence);
	jx_put(object, key, part);
}

static json_t *cell_json(const struct compare_row *row, size_t side)
{
	const struct compare_cell *cell = &row->cells[side];
	json_t *object = json_object(), *values = json_array();

	jx_put_count(object, "n", cell->n);
	put_value(object, "median", cell->n ? cell->median : NAN);
	put_interval(object, "interval", &cell->interval);
	for (size_t i = 0; i < cell->n; i++)
		json_array_append_new(values, isfinite(cell->values[i]) ?
						      json_real(cell->values[i]) :
						      json_string("missed"));
	jx_put(object, "values", values);
	if (row->metric->kind == COMPARE_COUNT) {
		jx_put_real(object, "events", cell->count);
		jx_put_real(object, "expected_cycles", cell->exposure);
	}
	return object;
}

static json_t *test_json(const struct compare_row *row, size_t side)
{
	static const char *const marks[] = { NULL, "*", "~", "?" };
	const struct compare_test *test = &row->tests[side];
	bool counts = row->metric->kind == COMPARE_COUNT;
	json_t *object = json_object();

	put_value(object, counts ? "difference_per_cycle" : "difference", test->effect);
	if (test->method == COMPARE_BINOMIAL) {
		jx_put_real(object, "rate_ratio", test->ratio);
		jx_put_real(object, "rate_ratio_low", test->interval.low);
		jx_put_real(object, "rate_ratio_high", test->interval.high);
	} else {
		put_interval(object, "interval", &test->interval);
	}
	jx_put_text(object, "test", compare_method_name(test));
	jx_put_real(object, "p", test->p);
	jx_put_real(object, "p_adjusted", test->p_adjusted);
	if (row->metric->family)
		jx_put_real(object, "floor", test->floor);
	jx_put(object, "mark", marks[test->mark] ? json_string(marks[test->mark]) : json_null());
	jx_put(object, "flagged", json_boolean(test->flagged));
	jx_put(object, "significantly_worse",
	       json_boolean(test->mark == MARK_DIFFERENT && test->worse));
	jx_put(object, "why", test->why ? json_string(test->why) : json_null());
	return object;
}

static json_t *row_json(const struct compare *compare, const struct compare_row *row)
{
	json_t *object = json_object(), *sides = json_object(), *tests = json_object();

	jx_put_text(object, "phase", row->phase);
	jx_put_text(object, "metric", row->metric->key);
	jx_put(object, "in_family", json_boolean(row->metric->family));
	for (size_t i = 0; i < compare->n_sides; i++) {
		jx_put(sides, compare->sides[i].label, cell_json(row, i));
		if (i)
			jx_put(tests, compare->sides[i].label, test_json(row, i));
	}
	jx_put(object, "sides", sides);
	jx_put(object, "against_reference", tests);
	return object;
}

int compare_write_json(FILE *out, const struct compare *compare)
{
	json_t *object = json_object(), *sides = json_array(), *rows = json_array();
	int err;

	for (size_t i = 0; i < compare->n_sides; i++)
		json_array_append_new(sides, json_pack("{s:s, s:O}", "label",
						       compare->sides[i].label, "results",
						       compare->sides[i].names));
	for (size_t i = 0; i < compare->n_rows; i++)
		json_array_append_new(rows, row_json(compare, &compare->rows[i]));
	jx_put(object, "sides", sides);
	jx_put_text(object, "reference", compare->sides[0].label);
	jx_put(object, "differences", json_incref(compare->differences));
	jx_put(object, "void", json_incref(compare->refusals));
	jx_put(object, "flags", json_incref(compare->flags));
	jx_put_count(object, "family", compare->family);
	jx_put_count(object, "runs_needed", compare->runs_needed);
	jx_put_real(object, "alpha", COMPARE_ALPHA);
	jx_put(object, "notes", json_incref(compare->notes));
	jx_put(object, "rows", rows);
	err = json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) ? -EIO : 0;
	fputc('\n', out);
	json_decref(object);
	return err ? err : ferror(out) ? -EIO : 0;
}
