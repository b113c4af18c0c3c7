// The clock thread; see birth_clock.h.
#define _GNU_SOURCE
#include "birth_clock.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#if defined(__linux__)
#include <semaphore.h>
#endif

struct lt_clock_word lt_clock_word;

// What the thread does. FAILED: it could not be started, and is not tried again.
enum { NONE, ASLEEP, AWAKE, FAILED };
static uint32_t state = NONE;
// The thread is not started before this time, in nanoseconds: after a gap, births read the ticks for a while.
static uint64_t not_before;

enum { MOST_GAPS = 1024, CLOCK_STACK_SIZE = 256 << 10 };
static struct {
    uint64_t start, end;
} gaps[MOST_GAPS];
static uint32_t gap_count;

uint64_t lt_read_time(void) { return read_ticks() >> TIME_SHIFT; }

uint64_t lt_time_after_gap(uint64_t time) {
    uint64_t mask = (1ull << LT_TIME_BITS) - 1;
    uint32_t low = 0, high = LOAD_ACQUIRE(&gap_count);
    // The gaps are in order, and the upper bits of times are cut off.
    uint64_t first = gaps[0].start, wanted = (time - first) & mask;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        uint64_t start = (gaps[middle].start - first) & mask;
        if (start == wanted) return gaps[middle].end & mask;
        if (start < wanted) low = middle + 1;
        else high = middle;
    }
    return time;
}

bool note_births(lt_stripe *stripe, uint64_t births, uint64_t ticks) {
    // About a millisecond, and some microseconds for each birth, at 1 to 5 GHz.
    enum { WINDOW = 1 << 21, MANY = 1 << 14 };
    stripe->recent_births += births;
    uint64_t passed = ticks - stripe->recent_since;
    if (passed < WINDOW) return false;
    bool has_many = passed / MANY < stripe->recent_births;
    stripe->recent_births = 0;
    stripe->recent_since = ticks;
    if (!has_many || LOAD_RELAXED(&lt_clock_word.now)) return false;
    uint32_t now = LOAD_RELAXED(&state);
    return (now == NONE || now == ASLEEP) && LOAD_RELAXED(&not_before) <= lt_read_system_clock();
}

void lt_begin_clock(struct lt_clock_step *step) { *step = (struct lt_clock_step){0}; }

bool lt_step_clock(struct lt_clock_step *step, uint64_t ns, uint64_t now, uint64_t last_id) {
    step->quiet = last_id == step->last_id ? step->quiet + 1 : 0;
    step->last_id = last_id;
    bool is_gap = step->ns && ns - step->ns > CLOCK_LONGEST_STEP_NS;
    bool goes_on = !is_gap && step->quiet < LT_QUIET_STEPS;
    // Time 0 means that births read the ticks.
    STORE_RELAXED(&lt_clock_word.now, goes_on ? now : 0);
    uint32_t count = LOAD_RELAXED(&gap_count);
    if (is_gap && count < MOST_GAPS) {
        gaps[count].start = step->now;
        gaps[count].end = now;
        STORE_RELEASE(&gap_count, count + 1);
        step->gaps++;
        // The system is too busy for the thread. A full table means: never again.
        uint64_t pause = count + 1 < MOST_GAPS ? 1ull << (step->gaps < 6 ? step->gaps : 6) : 1ull << 33;
        STORE_RELAXED(&not_before, ns + pause * 1000000000);
    }
    step->ns = goes_on ? ns : 0;
    step->now = now;
    return goes_on;
}

#if defined(__linux__) && !__has_feature(thread_sanitizer)
static sem_t alarm_clock;

static void *keep_time(void *unused) {
    (void)unused;
    struct lt_clock_step step;
    lt_begin_clock(&step);
    for (;;) {
        while (lt_step_clock(&step, lt_read_system_clock(), lt_read_time(), lt_last_id(lt_shared_core())))
            clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, CLOCK_STEP_NS}, NULL);
        STORE_RELEASE(&state, ASLEEP);
        while (sem_wait(&alarm_clock) && errno == EINTR) {}
    }
    return NULL;
}

void lt_start_clock(void) {
    uint32_t expected = ASLEEP;
    if (__atomic_compare_exchange_n(&state, &expected, AWAKE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        sem_post(&alarm_clock);
        return;
    }
    if (expected != NONE
        || !__atomic_compare_exchange_n(&state, &expected, AWAKE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    // The program's signals are not for this thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_t thread;
    bool is_started = !pthread_attr_init(&attributes);
    if (is_started) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        // The thread needs little, and a program may have a low limit of address space. If the C library needs more for
        // thread-local variables, the thread does not start, and births read the ticks.
        pthread_attr_setstacksize(&attributes, CLOCK_STACK_SIZE);
        is_started = !pthread_create(&thread, &attributes, keep_time, NULL);
        if (is_started) pthread_setname_np(thread, "tracer-clock");
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_started) STORE_RELEASE(&state, FAILED);
}

// The thread does not exist in a fork child.
static void forget_clock(void) {
    STORE_RELAXED(&lt_clock_word.now, 0);
    STORE_RELAXED(&state, NONE);
    sem_init(&alarm_clock, 0, 0);
}

__attribute__((constructor(101))) static void prepare_clock(void) {
    sem_init(&alarm_clock, 0, 0);
    // Without the handler, a fork child would keep the time of the fork.
    if (pthread_atfork(NULL, NULL, forget_clock)) STORE_RELAXED(&state, FAILED);
}
#else
__attribute__((constructor)) static void prepare_clock(void) { STORE_RELAXED(&state, FAILED); }
void lt_start_clock(void) {}
#endif

bool lt_has_clock(void) { return LOAD_RELAXED(&lt_clock_word.now); }
