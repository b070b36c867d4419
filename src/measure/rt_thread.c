/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/rt_thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "system/rights.h"

/* The loop needs little; glibc keeps its thread descriptor and TLS in there too. */
#define STACK_BYTES (128 * 1024)
#define STACK_TOUCH_BYTES (64 * 1024)

struct rt_thread {
	pthread_t id;
	bool running;
	struct rt_attributes attributes;
	void (*body)(void *argument);
	void *argument;
	sem_t ready;
	int error;
	_Atomic int done;
	struct fault fault;
	char *map;
	size_t map_bytes, page;
	size_t locked_bytes;
	long timer_slack_ns;
};

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

int rt_thread_create(struct rt_thread **result, size_t payload, const char *library,
		     void **memory, struct fault *fault)
{
	struct rt_thread *thread = calloc(1, sizeof(*thread));
	int err;

	if (!thread)
		return fault_set(fault, -ENOMEM, "no memory for a thread");
	sem_init(&thread->ready, 0, 0);
	/* Guard page, stack, payload. */
	thread->page = (size_t)sysconf(_SC_PAGESIZE);
	thread->map_bytes = thread->page + STACK_BYTES + round_up(payload, thread->page);
	thread->map = mmap(NULL, thread->map_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (thread->map == MAP_FAILED) {
		err = fault_set(fault, -errno, "mmap of %zu bytes for the measuring thread: %s",
				thread->map_bytes, strerror(errno));
		thread->map = NULL;
		rt_thread_free(thread);
		return err;
	}
	/* khugepaged would unmap what the loop is using (a kernel without it says EINVAL). */
	if (mprotect(thread->map, thread->page, PROT_NONE) ||
	    madvise(thread->map, thread->map_bytes, MADV_DONTFORK) ||
	    (madvise(thread->map, thread->map_bytes, MADV_NOHUGEPAGE) && errno != EINVAL))
		err = fault_set(fault, -errno, "memory of the measuring thread: %s",
				strerror(errno));
	else
		err = rights_lock_program(library, &thread->locked_bytes, fault);
	if (!err)
		err = rights_lock(thread->map + thread->page, thread->map_bytes - thread->page,
				  "stack and ring of the measuring thread", &thread->locked_bytes,
				  fault);
	if (err) {
		rt_thread_free(thread);
		return err;
	}
	*memory = thread->map + thread->page + STACK_BYTES;
	*result = thread;
	return 0;
}

static void __attribute__((noinline)) touch_stack(void)
{
	volatile char stack[STACK_TOUCH_BYTES];

	for (size_t i = 0; i < sizeof(stack); i += 1024)
		stack[i] = 0;
}

static int become(struct rt_thread *thread)
{
	const struct rt_attributes *attributes = &thread->attributes;
	int err = 0;

	prctl(PR_SET_NAME, "lt-measure");
	if (attributes->cpu >= 0)
		err = rights_pin(attributes->cpu, &thread->fault);
	if (!err)
		err = rights_set_policy(attributes->policy, attributes->priority, &thread->fault);
	if (err)
		return err;
	prctl(PR_SET_TIMERSLACK, 1UL);
	thread->timer_slack_ns = prctl(PR_GET_TIMERSLACK);
	touch_stack();
	return 0;
}

static void *thread_main(void *argument)
{
	struct rt_thread *thread = argument;
	int err = become(thread);

	thread->error = err;
	sem_post(&thread->ready);
	if (!err)
		thread->body(thread->argument);
	atomic_store(&thread->done, 1);
	return NULL;
}

static void ignore_signal(int sig)
{
	(void)sig;
}

int rt_thread_start(struct rt_thread *thread, const struct rt_attributes *attributes,
		    void (*body)(void *argument), void *argument, struct fault *fault)
{
	/* No SA_RESTART: the signal is there to end a blocked wait. */
	struct sigaction nudge = { .sa_handler = ignore_signal };
	pthread_attr_t attr;
	int err;

	sigaction(SIGUSR1, &nudge, NULL);
	thread->attributes = *attributes;
	thread->body = body;
	thread->argument = argument;
	atomic_store(&thread->done, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, thread->map + thread->page, STACK_BYTES);
	err = pthread_create(&thread->id, &attr, thread_main, thread);
	pthread_attr_destroy(&attr);
	if (err)
		return fault_set(fault, -err, "pthread_create: %s", strerror(err));
	thread->running = true;
	while (sem_wait(&thread->ready) && errno == EINTR)
		;
	if (thread->error) {
		rt_thread_join(thread);
		return fault_set(fault, thread->error, "%s", thread->fault.text);
	}
	return 0;
}

int rt_thread_done(struct rt_thread *thread)
{
	return atomic_load(&thread->done);
}

void rt_thread_nudge(struct rt_thread *thread)
{
	if (thread->running)
		pthread_kill(thread->id, SIGUSR1);
}

void rt_thread_break(struct rt_thread *thread)
{
	if (thread->running && !atomic_load(&thread->done))
		pthread_kill(thread->id, SIGXCPU);
}

void rt_thread_join(struct rt_thread *thread)
{
	if (thread->running)
		pthread_join(thread->id, NULL);
	thread->running = false;
}

size_t rt_thread_locked_bytes(const struct rt_thread *thread)
{
	return thread->locked_bytes;
}

long rt_thread_timer_slack_ns(const struct rt_thread *thread)
{
	return thread->timer_slack_ns;
}

void rt_thread_free(struct rt_thread *thread)
{
	if (!thread)
		return;
	rt_thread_join(thread);
	if (thread->map)
		munmap(thread->map, thread->map_bytes);
	sem_destroy(&thread->ready);
	free(thread);
}
