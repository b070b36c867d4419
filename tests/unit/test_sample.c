/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sample files: what was written is read, and what is cut or damaged is said, never delivered. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "measure/sample.h"
#include "measure/sample_bytes.h"

static const struct sample_header header = {
	.rate_hz = 1024, .wakeups = 2, .lateness = LATENESS_EXACT, .t0_ns = 123456789012345,
};
static const char conditions[] = "{\"load\": 0.8}";
#define HEAD_BYTES (SAMPLE_HEADER_BYTES + sizeof(conditions) - 1)

static struct sample_writer *writer_new(void)
{
	struct sample_writer *writer;
	struct fault fault;

	unlink(unit_file);
	assert_int_equal(sample_writer_open(&writer, unit_file, &header, conditions, &fault), 0);
	return writer;
}

static struct sample_reader *reader_new(void)
{
	struct sample_reader *reader;
	struct fault fault;

	assert_int_equal(sample_reader_open(&reader, unit_file, &fault), 0);
	return reader;
}

static bool same_cycle(const struct cycle *a, const struct cycle *b)
{
	return a->wake_ns == b->wake_ns && a->burn_ns == b->burn_ns &&
	       a->lateness_ns == b->lateness_ns && a->ticks == b->ticks &&
	       a->missed == b->missed && a->cpu == b->cpu;
}

static void assert_round_trip(const struct cycle *cycles, size_t n)
{
	struct sample_writer *writer = writer_new();
	struct sample_reader *reader;
	struct sample_block block;
	struct fault fault;
	size_t read = 0;

	assert_int_equal(sample_writer_cycles(writer, 0, cycles, n), 0);
	assert_int_equal(sample_writer_close(writer), 0);
	reader = reader_new();
	/* Twice: rewinding starts anew. */
	for (int turn = 0; turn < 2; turn++) {
		int got;

		read = 0;
		while ((got = sample_reader_next(reader, &block, &fault)) > 0) {
			assert_int_equal(block.kind, SAMPLE_BLOCK_CYCLES_KIND);
			assert_true(block.n > 0 && block.n <= SAMPLE_BLOCK_CYCLES);
			assert_true(read + block.n <= n);
			for (size_t i = 0; i < block.n; i++)
				assert_case(same_cycle(&block.cycles[i], &cycles[read + i]),
					    "cycle %zu", read + i);
			read += block.n;
		}
		assert_int_equal(got, 0);
		assert_int_equal(read, n);
		assert_int_equal(sample_reader_rewind(reader), 0);
	}
	sample_reader_close(reader);
}

static void the_header_is_read_as_written(void **state)
{
	static const struct sample_header other = {
		.rate_hz = 8192, .wakeups = 7, .lateness = LATENESS_FITTED, .slope_ns = 122070,
		.t0_ns = -5,
	};
	const struct sample_header *got;
	struct sample_writer *writer;
	struct sample_reader *reader;
	struct fault fault;

	(void)state;
	unlink(unit_file);
	assert_int_equal(sample_writer_open(&writer, unit_file, &other, "", &fault), 0);
	assert_int_equal(sample_writer_close(writer), 0);
	reader = reader_new();
	got = sample_reader_header(reader);
	assert_int_equal(got->rate_hz, 8192);
	assert_int_equal(got->wakeups, 7);
	assert_int_equal(got->lateness, LATENESS_FITTED);
	assert_true(got->slope_ns == 122070);
	assert_true(got->t0_ns == -5);
	assert_string_equal(sample_reader_conditions(reader), "");
	sample_reader_close(reader);

	assert_int_equal(sample_writer_close(writer_new()), 0);
	reader = reader_new();
	assert_string_equal(sample_reader_conditions(reader), conditions);
	sample_reader_close(reader);
}

static void no_cycles(void **state)
{
	assert_round_trip(NULL, 0);
	(void)state;
}

static void one_cycle(void **state)
{
	static const struct cycle cycle = { 1953200, 1562600, LATENESS_UNKNOWN, 2, 0, 3, 0 };

	(void)state;
	assert_round_trip(&cycle, 1);
}

static void extreme_cycles(void **state)
{
	static const struct cycle cycles[] = {
		{ 0, 0, LATENESS_UNKNOWN, 0, 0, 0, 0 },
		{ 1953125, 0, LATENESS_UNKNOWN, 2, 0, 0, 0 },
		{ 1953125 + (1LL << 33), 1562500, LATENESS_UNKNOWN, 2 + 8796, 4397, 0, 0 },
		{ 5, -7, LATENESS_UNKNOWN, 8800, 0, 0, 0 }, /* back in time, negative burn */
		{ -1000000000000, 1, LATENESS_UNKNOWN, 8802, 0, 1023, 0 },
		{ 1LL << 60, 1LL << 60, LATENESS_UNKNOWN, 8804, UINT32_MAX, UINT32_MAX,
		  UINT32_MAX },
		{ (1LL << 60) + 1, -(1LL << 60), 0, 8804, 0, 0, 0 },  /* no tick at all */
		{ (1LL << 60) + 2, 0, -1, 8805, 0, 0, 3 },
		{ (1LL << 60) + 3, 0, INT64_MAX, 8806, 0, 0, 0 },
		{ (1LL << 60) + 4, 0, INT64_MIN + 1, 8808, 0, 0, 0 }, /* INT64_MIN is "unknown" */
		{ (1LL << 60) + 5, 0, LATENESS_UNKNOWN, 8808 + (1ull << 33), 0, 0, 0 },
	};

	(void)state;
	assert_round_trip(cycles, COUNT(cycles));
	for (size_t i = 0; i < COUNT(cycles); i++)
		assert_round_trip(&cycles[i], 1);
}

static int64_t random_of_any_size(uint64_t *seed, unsigned int bits)
{
	uint64_t v = unit_random(seed) >> (64 - 1 - unit_random(seed) % bits);

	return unit_random(seed) & 1 ? (int64_t)v : -(int64_t)v;
}

static void random_cycles_round_trip(void **state)
{
	static struct cycle cycles[3 * SAMPLE_BLOCK_CYCLES + 17];

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t random = seed * 7919, ticks = 0;

		for (size_t i = 0; i < COUNT(cycles); i++) {
			ticks += unit_random(&random) % 8 ?
					 header.wakeups :
					 (uint64_t)random_of_any_size(&random, 32) & UINT32_MAX;
			cycles[i] = (struct cycle){
				.wake_ns = random_of_any_size(&random, 60),
				.burn_ns = random_of_any_size(&random, 60),
				.lateness_ns = unit_random(&random) % 2 ?
						       LATENESS_UNKNOWN :
						       random_of_any_size(&random, 62),
				.ticks = ticks,
				.missed = unit_random(&random) % 4 ?
						  0 : (uint32_t)random_of_any_size(&random, 32),
				.cpu = (uint32_t)(unit_random(&random) % 3),
			};
		}
		assert_round_trip(cycles, COUNT(cycles));
		assert_round_trip(cycles, SAMPLE_BLOCK_CYCLES);
		assert_round_trip(cycles, SAMPLE_BLOCK_CYCLES + 1);
	}
}

static void ordinary_cycles_take_at_most_8_bytes(void **state)
{
	static struct cycle cycles[30000];
	struct sample_writer *writer = writer_new();
	uint64_t seed = 5;
	struct stat st;

	(void)state;
	/* Wake-ups up to 50 us late, burns up to 20 us longer, a change of CPU each second. */
	for (size_t i = 0; i < COUNT(cycles); i++)
		cycles[i] = (struct cycle){
			.wake_ns = (int64_t)(i + 1) * 1953125 + unit_random_in(&seed, 0, 50000),
			.burn_ns = 1562500 + unit_random_in(&seed, 0, 20000),
			.lateness_ns = LATENESS_UNKNOWN,
			.ticks = 2 * (i + 1),
			.cpu = i / 512 % 2,
		};
	/* As the recorder does: a block each quarter of a second. */
	for (size_t i = 0; i < COUNT(cycles); i += 128) {
		size_t n = COUNT(cycles) - i < 128 ? COUNT(cycles) - i : 128;

		assert_int_equal(sample_writer_cycles(writer, 0, &cycles[i], n), 0);
	}
	assert_int_equal(sample_writer_close(writer), 0);
	assert_int_equal(stat(unit_file, &st), 0);
	assert_case((size_t)st.st_size <= 8 * COUNT(cycles), "%.2f bytes",
		    (double)st.st_size / (double)COUNT(cycles));
}

/* A small file with every kind of block, and where each of them ends. */
#define MODEL_BLOCKS 6

struct model {
	struct cycle cycles[9];
	struct sample_event event, lost;
	struct sample_end end;
	size_t ends[MODEL_BLOCKS + 1]; /* [0]: the header */
	uint8_t *bytes;
	size_t n;
};

static size_t size_of_file(void)
{
	struct stat st;

	assert_int_equal(stat(unit_file, &st), 0);
	return (size_t)st.st_size;
}

static int append_block(struct sample_writer *writer, const struct model *m, int i)
{
	switch (i) {
	case 0:
		return sample_writer_cycles(writer, 0, m->cycles, 4);
	case 1:
		return sample_writer_event(writer, 0, &m->event);
	case 2:
		return sample_writer_cycles(writer, 3, m->cycles + 4, 1);
	case 3:
		return sample_writer_event(writer, 255, &m->lost);
	case 4:
		return sample_writer_cycles(writer, 0, m->cycles + 5, 4);
	default:
		return sample_writer_end(writer, 0, &m->end);
	}
}

static void model_make(struct model *m)
{
	struct sample_writer *writer = writer_new();

	memset(m, 0, sizeof(*m));
	for (size_t i = 0; i < COUNT(m->cycles); i++)
		m->cycles[i] = (struct cycle){
			.wake_ns = 1953125 * (int64_t)(i + 1) + 1000 * (int64_t)(i * i % 5),
			.burn_ns = 1562500 + 10 * (int64_t)i,
			.lateness_ns = i == 3 ? 77 : LATENESS_UNKNOWN,
			.ticks = 2 * (i + 1),
			.missed = i == 2,
			.cpu = i > 6,
		};
	m->event = (struct sample_event){ 12345678, SAMPLE_WRITE_BLOCKED, 600000000 };
	m->lost = (struct sample_event){ -1, SAMPLE_LOST, UINT64_MAX };
	m->end = (struct sample_end){ 1, 2, 3, 4, 5, UINT64_MAX, -7 };
	m->ends[0] = size_of_file();
	assert_int_equal(m->ends[0], HEAD_BYTES);
	for (int i = 0; i < MODEL_BLOCKS; i++) {
		assert_int_equal(append_block(writer, m, i), 0);
		m->ends[i + 1] = size_of_file();
	}
	assert_int_equal(sample_writer_close(writer), 0);
	m->bytes = unit_read_file(&m->n);
	assert_int_equal(m->n, m->ends[MODEL_BLOCKS]);
}

static bool same_cycles(const struct sample_block *block, unsigned int thread,
			const struct cycle *cycles, size_t n)
{
	if (block->kind != SAMPLE_BLOCK_CYCLES_KIND || block->n != n || block->thread != thread)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_cycle(&block->cycles[i], &cycles[i]))
			return false;
	return true;
}

static bool same_event(const struct sample_block *block, unsigned int thread,
		       const struct sample_event *event)
{
	return block->kind == SAMPLE_BLOCK_EVENT && block->thread == thread &&
	       block->event.time_ns == event->time_ns && block->event.kind == event->kind &&
	       block->event.value == event->value;
}

static bool is_model_block(const struct model *m, int i, const struct sample_block *block)
{
	switch (i) {
	case 0:
		return same_cycles(block, 0, m->cycles, 4);
	case 1:
		return same_event(block, 0, &m->event);
	case 2:
		return same_cycles(block, 3, m->cycles + 4, 1);
	case 3:
		return same_event(block, 255, &m->lost);
	case 4:
		return same_cycles(block, 0, m->cycles + 5, 4);
	case 5:
		return block->kind == SAMPLE_BLOCK_END &&
		       !memcmp(&block->end, &m->end, sizeof(m->end));
	}
	return false;
}

/*
 * Reads the scratch file: every block delivered has to be the next one of the model. Returns how
 * many there were, -1 where the file could not be opened; *last is what the last call returned.
 */
static int read_model(const struct model *m, int *last, struct fault *fault)
{
	struct sample_reader *reader;
	struct sample_block block;
	int blocks = 0;

	fault->text[0] = '\0';
	*last = sample_reader_open(&reader, unit_file, fault);
	if (*last) {
		assert_true(*last < 0);
		assert_true(fault->text[0]);
		return -1;
	}
	while ((*last = sample_reader_next(reader, &block, fault)) > 0)
		assert_case(is_model_block(m, blocks++, &block), "block %d", blocks - 1);
	assert_true(!*last || fault->text[0]);
	sample_reader_close(reader);
	return blocks;
}

static void events_and_the_end_are_read_as_written(void **state)
{
	struct model m;
	struct fault fault;
	int last;

	(void)state;
	model_make(&m);
	assert_int_equal(read_model(&m, &last, &fault), MODEL_BLOCKS);
	assert_int_equal(last, 0);
	free(m.bytes);
}

static void a_file_cut_anywhere_is_read_up_to_there(void **state)
{
	struct model m;

	(void)state;
	model_make(&m);
	for (size_t length = 0; length < m.n; length++) {
		struct fault fault;
		char place[40];
		int whole = -1, last, got;

		unit_write_file(m.bytes, length);
		got = read_model(&m, &last, &fault);
		while (whole < MODEL_BLOCKS && m.ends[whole + 1] <= length)
			whole++;
		assert_case(got == whole, "cut at %zu: %d of %d blocks", length, got, whole);
		if (whole >= 0 && m.ends[whole] == length) {
			assert_case(last == 0, "cut between two blocks, at %zu", length);
			continue;
		}
		assert_case(last == -EPROTO, "cut at %zu: %d", length, last);
		if (whole < 0)
			continue;
		snprintf(place, sizeof(place), "cut off at byte %zu;", m.ends[whole]);
		assert_case(strstr(fault.text, place), "cut at %zu: %s", length, fault.text);
	}
	free(m.bytes);
}

static void a_flipped_bit_anywhere_is_seen(void **state)
{
	struct model m;

	(void)state;
	model_make(&m);
	for (size_t at = 0; at < m.n; at++) {
		for (int bit = 0; bit < 8; bit++) {
			struct fault fault;
			int before = -1, last, got;

			m.bytes[at] ^= (uint8_t)(1 << bit);
			unit_write_file(m.bytes, m.n);
			m.bytes[at] ^= (uint8_t)(1 << bit);
			got = read_model(&m, &last, &fault);
			/* All blocks before the damaged one, and an error there. */
			while (m.ends[before + 1] <= at)
				before++;
			assert_case(got == before, "byte %zu bit %d: %d of %d blocks", at, bit, got,
				    before);
			assert_case(last < 0, "byte %zu bit %d", at, bit);
		}
	}
	free(m.bytes);
}

/* Puts right checksums over the header and over the block behind it, if there is one. */
static void seal(uint8_t *bytes, size_t n)
{
	uint32_t length = get_u32(bytes + HEADER_LENGTH);
	uint8_t *block = bytes + SAMPLE_HEADER_BYTES + length;

	put_u32(bytes + HEADER_CRC, 0);
	put_u32(bytes + HEADER_CRC, (uint32_t)crc32(0, bytes, SAMPLE_HEADER_BYTES + length));
	if ((size_t)(block - bytes) == n)
		return;
	put_u32(block + BLOCK_CRC, 0);
	put_u32(block + BLOCK_CRC, (uint32_t)crc32(0, block, (uInt)(n - (size_t)(block - bytes))));
}

static void nonsense_under_a_right_checksum_is_refused_or_read_safely(void **state)
{
	uint8_t file[HEAD_BYTES + SAMPLE_BLOCK_BYTES + 300];
	struct model m;
	uint64_t seed = 11;
	int refused = 0;

	(void)state;
	model_make(&m);
	for (int i = 0; i < 4000; i++) {
		size_t payload = unit_random(&seed) % 301;
		size_t n = HEAD_BYTES + SAMPLE_BLOCK_BYTES + payload;
		uint8_t *block = file + HEAD_BYTES;
		struct sample_reader *reader;
		struct sample_block got;
		struct fault fault;
		int err;

		memcpy(file, m.bytes, HEAD_BYTES + SAMPLE_BLOCK_BYTES);
		for (size_t j = 0; j < payload; j++)
			block[SAMPLE_BLOCK_BYTES + j] = (uint8_t)unit_random(&seed) &
							(i % 2 ? 0xff : 0x8f);
		block[BLOCK_KIND] = (uint8_t)(unit_random(&seed) % 6);
		put_u32(block + BLOCK_LENGTH, (uint32_t)payload);
		put_u32(block + BLOCK_COUNT, (uint32_t)(unit_random(&seed) % 100));
		put_u64(block + BLOCK_WAKE, unit_random(&seed));
		put_u64(block + BLOCK_TICKS, unit_random(&seed));
		seal(file, n);
		unit_write_file(file, n);
		reader = reader_new();
		err = sample_reader_next(reader, &got, &fault);
		assert_true(err == 1 || err == -EPROTO);
		refused += err < 0;
		sample_reader_close(reader);
	}
	assert_true(refused > 3000);
	free(m.bytes);
}

static void wrong_counts_are_impossible_blocks(void **state)
{
	struct model m;
	uint8_t *count;

	(void)state;
	model_make(&m);
	/* The first block holds 4 cycles. */
	count = m.bytes + HEAD_BYTES + BLOCK_COUNT;
	assert_int_equal(get_u32(count), 4);
	for (uint32_t n = 0; n < 10; n++) {
		struct fault fault;
		int last;

		if (n == 4)
			continue;
		put_u32(count, n);
		seal(m.bytes, m.ends[1]);
		unit_write_file(m.bytes, m.ends[1]);
		assert_int_equal(read_model(&m, &last, &fault), 0);
		assert_int_equal(last, -EPROTO);
		assert_non_null(strstr(fault.text, "impossible"));
	}
	free(m.bytes);
}

static int open_error(const uint8_t *bytes, size_t n, const char *words)
{
	struct sample_reader *reader;
	struct fault fault = { "" };
	int err;

	unit_write_file(bytes, n);
	err = sample_reader_open(&reader, unit_file, &fault);
	if (!err)
		sample_reader_close(reader);
	else
		assert_case(strstr(fault.text, words) && strstr(fault.text, unit_file), "%s",
			    fault.text);
	return err;
}

static void other_files_are_refused(void **state)
{
	static const uint8_t text[] =
		"cpu_hz = 2.08855e+09\ncpu_load=0.800000  loops per run = 6\n";
	static const uint8_t zeros[100];

	(void)state;
	assert_int_equal(open_error(text, 0, "not a sample file"), -EPROTO);
	assert_int_equal(open_error(text, sizeof(text) - 1, "not a sample file"), -EPROTO);
	assert_int_equal(open_error(zeros, sizeof(zeros), "not a sample file"), -EPROTO);
}

static void a_missing_file_is_an_error(void **state)
{
	struct sample_reader *reader;
	struct fault fault;

	(void)state;
	unlink(unit_file);
	assert_int_equal(sample_reader_open(&reader, unit_file, &fault), -ENOENT);
	/* A directory can be opened, but not read. */
	assert_true(sample_reader_open(&reader, unit_dir, &fault) < 0);
}

static void later_versions_are_named(void **state)
{
	struct model m;
	uint8_t *version;

	(void)state;
	model_make(&m);
	version = m.bytes + HEADER_VERSION;
	put_u32(version, SAMPLE_VERSION + 1);
	seal(m.bytes, HEAD_BYTES);
	assert_int_equal(open_error(m.bytes, m.n, "version 2"), -ENOTSUP);
	/* What a later version may look like behind that number is not known. */
	m.bytes[HEADER_LENGTH] ^= 1;
	assert_int_equal(open_error(m.bytes, m.n, "version 2"), -ENOTSUP);
	free(m.bytes);
}

static void impossible_headers_are_refused(void **state)
{
	static const struct {
		int at;
		uint32_t value;
	} wrong[] = { { HEADER_RATE, 0 }, { HEADER_WAKEUPS, 0 }, { HEADER_LATENESS, 0 },
		      { HEADER_LATENESS, 4 }, { HEADER_LATENESS, UINT32_MAX } };
	struct model m;

	(void)state;
	model_make(&m);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		uint32_t right = get_u32(m.bytes + wrong[i].at);

		put_u32(m.bytes + wrong[i].at, wrong[i].value);
		seal(m.bytes, HEAD_BYTES);
		assert_int_equal(open_error(m.bytes, m.n, "impossible"), -EPROTO);
		put_u32(m.bytes + wrong[i].at, right);
	}
	/* A length that no memory should be taken for. */
	put_u32(m.bytes + HEADER_LENGTH, UINT32_MAX);
	assert_int_equal(open_error(m.bytes, m.n, "damaged"), -EPROTO);
	free(m.bytes);
}

static void an_existing_file_is_not_overwritten(void **state)
{
	struct sample_writer *writer;
	struct fault fault;
	uint8_t *bytes;
	size_t n;

	(void)state;
	unit_write_file((const uint8_t *)"precious", 8);
	assert_int_equal(sample_writer_open(&writer, unit_file, &header, conditions, &fault),
			 -EEXIST);
	assert_non_null(strstr(fault.text, unit_file));
	bytes = unit_read_file(&n);
	assert_int_equal(n, 8);
	assert_memory_equal(bytes, "precious", 8);
	free(bytes);
	/* Nor is a link followed. */
	unlink(unit_file);
	assert_int_equal(symlink("elsewhere", unit_file), 0);
	assert_true(sample_writer_open(&writer, unit_file, &header, conditions, &fault) < 0);
	unlink(unit_file);
}

static void limit_file_size(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size == RLIM_INFINITY ? limit.rlim_max : size;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_leaves_whole_blocks(void **state)
{
	struct model m;
	uint8_t *bytes;
	size_t n;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	model_make(&m);
	for (size_t room = HEAD_BYTES; room <= m.n; room++) {
		struct sample_writer *writer = writer_new();
		int whole = 0, done = 0, err = 0;

		limit_file_size(room);
		while (done < MODEL_BLOCKS && !(err = append_block(writer, &m, done)))
			done++;
		limit_file_size(RLIM_INFINITY);
		while (whole < MODEL_BLOCKS && m.ends[whole + 1] <= room)
			whole++;
		assert_case(done == whole, "room for %zu bytes: %d of %d blocks", room, done,
			    whole);
		assert_int_equal(err, whole < MODEL_BLOCKS ? -EFBIG : 0);
		bytes = unit_read_file(&n);
		assert_case(n == m.ends[whole], "room for %zu bytes: %zu written", room, n);
		assert_memory_equal(bytes, m.bytes, n);
		free(bytes);
		/* When there is room again, it goes on as if nothing had been. */
		for (; done < MODEL_BLOCKS; done++)
			assert_int_equal(append_block(writer, &m, done), 0);
		assert_int_equal(sample_writer_close(writer), 0);
		bytes = unit_read_file(&n);
		assert_int_equal(n, m.n);
		assert_memory_equal(bytes, m.bytes, n);
		free(bytes);
	}
	free(m.bytes);
}

static void no_room_for_the_header_is_an_error(void **state)
{
	struct sample_writer *writer;
	struct fault fault;
	int err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (size_t room = 0; room < HEAD_BYTES; room++) {
		unlink(unit_file);
		limit_file_size(room);
		err = sample_writer_open(&writer, unit_file, &header, conditions, &fault);
		limit_file_size(RLIM_INFINITY);
		assert_int_equal(err, -EFBIG);
		/* No half of a header is left behind. */
		assert_int_equal(access(unit_file, F_OK), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_is_read_as_written),
		cmocka_unit_test(no_cycles),
		cmocka_unit_test(one_cycle),
		cmocka_unit_test(extreme_cycles),
		cmocka_unit_test(random_cycles_round_trip),
		cmocka_unit_test(ordinary_cycles_take_at_most_8_bytes),
		cmocka_unit_test(events_and_the_end_are_read_as_written),
		cmocka_unit_test(a_file_cut_anywhere_is_read_up_to_there),
		cmocka_unit_test(a_flipped_bit_anywhere_is_seen),
		cmocka_unit_test(nonsense_under_a_right_checksum_is_refused_or_read_safely),
		cmocka_unit_test(wrong_counts_are_impossible_blocks),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(a_missing_file_is_an_error),
		cmocka_unit_test(later_versions_are_named),
		cmocka_unit_test(impossible_headers_are_refused),
		cmocka_unit_test(an_existing_file_is_not_overwritten),
		cmocka_unit_test(a_full_disk_leaves_whole_blocks),
		cmocka_unit_test(no_room_for_the_header_is_an_error),
	};

	return unit_run(tests);
}
