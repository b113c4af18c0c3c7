// The clock thread; see birth_clock.h.
#define _GNU_SOURCE
#include "birth_clock.h"
#include "stripe_claims.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#if defined(__linux__)
#include <semaphore.h>
#endif

// What the thread does. FAILED: it could not be started, and is not tried again.
enum { NONE, ASLEEP, AWAKE, FAILED };
static uint32_t state = NONE;
// The thread is not started before this time, in nanoseconds: after a gap, births read the ticks for a while.
static uint64_t not_before;

enum {
    /// The pauses after gaps in nanoseconds. Gaps in quick succession double the pause.
    SHORTEST_PAUSE_NS = 100 * 1000 * 1000,
    LONGEST_PAUSE_NS = 800 * 1000 * 1000,
};
/// How old the time may become, in the unit of records: births that find it older than `most` leave it to the clock
/// thread, and those that find it younger than `least` leave it alone.
static struct allowed_age {
    uint64_t least, most;
} allowed_age;
// Whether births have found the time too old since the last step.
static bool births_met_gap;
/// A gap counts as in quick succession within this time after the last one, in nanoseconds.
static const uint64_t SUCCESSION_NS = 10ull * 1000 * 1000 * 1000;

// The gaps in order. `gaps_version` is odd while the clock thread removes a gap from the middle.
static struct gap {
    uint64_t start, end;
} gaps[LT_MOST_GAPS];
static uint32_t gap_count, gaps_version;

enum { CLOCK_STACK_SIZE = 256 << 10 };
static const uint64_t TIME_MASK = (1ull << LT_TIME_BITS) - 1;

uint64_t lt_read_time(void) { return read_ticks() >> TIME_SHIFT; }

// Returns the end of the gap that contains a time, or the time.
static uint64_t find_end(uint64_t time, uint32_t count) {
    // The upper bits of times are cut off, so times are compared by their distance to the first gap.
    uint64_t first = LOAD_RELAXED(&gaps[0].start), wanted = (time - first) & TIME_MASK;
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (((LOAD_RELAXED(&gaps[middle].start) - first) & TIME_MASK) <= wanted) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return time;
    uint64_t end = LOAD_RELAXED(&gaps[low - 1].end);
    return wanted < ((end - first) & TIME_MASK) ? end & TIME_MASK : time;
}

uint64_t lt_time_after_gap(uint64_t time) {
    for (;;) {
        uint32_t count = LOAD_ACQUIRE(&gap_count);
        if (count == 0) return time;
        uint32_t version = LOAD_ACQUIRE(&gaps_version);
        uint64_t end = find_end(time, count);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (version % 2 == 0 && LOAD_RELAXED(&gaps_version) == version) return end;
    }
}

// Merges two neighbouring gaps: those that together are shortest in relation to their age. What was born between them
// then seems too young, by a small part of its age.
static void merge_neighbours(uint64_t now) {
    uint32_t best = 0;
    double least = 2;
    for (uint32_t i = 0; i + 1 < LT_MOST_GAPS; i++) {
        double share = (double)(gaps[i + 1].end - gaps[i].start) / (double)(now - gaps[i].start);
        if (share < least) {
            least = share;
            best = i;
        }
    }
    STORE_RELAXED(&gaps_version, gaps_version + 1);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    STORE_RELAXED(&gaps[best].end, gaps[best + 1].end);
    for (uint32_t i = best + 1; i + 1 < LT_MOST_GAPS; i++) {
        STORE_RELAXED(&gaps[i].start, gaps[i + 1].start);
        STORE_RELAXED(&gaps[i].end, gaps[i + 1].end);
    }
    STORE_RELAXED(&gap_count, LT_MOST_GAPS - 1);
    STORE_RELEASE(&gaps_version, gaps_version + 1);
}

static void note_gap(uint64_t start, uint64_t end) {
    if (LOAD_RELAXED(&gap_count) == LT_MOST_GAPS) merge_neighbours(end);
    uint32_t count = LOAD_RELAXED(&gap_count);
    STORE_RELAXED(&gaps[count].start, start);
    STORE_RELAXED(&gaps[count].end, end);
    STORE_RELEASE(&gap_count, count + 1);
}

void lt_refresh_time(uint64_t now) {
    uint64_t shown = LOAD_RELAXED(&lt_shared.now), age = (now - (shown >> LT_CONTEXT_BITS)) & TIME_MASK;
    if (!shown || age < LOAD_RELAXED(&allowed_age.least)) return;
    if (age > LOAD_RELAXED(&allowed_age.most)) {
        STORE_RELAXED(&births_met_gap, true);
        return;
    }
    // If another thread has changed the time meanwhile, it is fresh, or births read the ticks.
    __atomic_compare_exchange_n(
        &lt_shared.now, &shown, now << LT_CONTEXT_BITS, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
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
    if (!has_many || LOAD_RELAXED(&lt_shared.now)) return false;
    uint32_t now = LOAD_RELAXED(&state);
    return (now == NONE || now == ASLEEP) && LOAD_RELAXED(&not_before) <= lt_read_system_clock();
}

static void mark_births(bool is_without_clock) {
    lock_stripes();
    mark_stripes(LT_BIRTHS_WITHOUT_CLOCK, is_without_clock);
    unlock_stripes();
}

// Shows a time instead of the time shown so far, in the unit of records; 0 stands for none. If a birth has refreshed
// the time meanwhile, that time is later.
static void show_time(uint64_t time, uint64_t before) {
    uint64_t expected = before << LT_CONTEXT_BITS;
    __atomic_compare_exchange_n(
        &lt_shared.now, &expected, time << LT_CONTEXT_BITS, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    if (!before) mark_births(false);
}

// A plain birth does not check the time. So births stop being plain first; then this thread waits until each owner that
// may have entered before is outside.
static void hide_time(void) {
    mark_births(true);
    lt_settle();
    STORE_RELAXED(&lt_shared.now, 0);
}

void lt_begin_clock(struct lt_clock_step *step) { *step = (struct lt_clock_step){0}; }

// Returns the age of a time in nanoseconds at a step, in proportion to the time since the last step.
static uint64_t age_at_step(const struct lt_clock_step *step, uint64_t ns, uint64_t passed, uint64_t age) {
    return passed == age ? ns - step->ns : (uint64_t)((double)(ns - step->ns) * (double)age / (double)passed);
}

static void allow_age(const struct lt_clock_step *step, uint64_t ns, uint64_t passed) {
    double units = (double)passed / (double)(ns - step->ns);
    STORE_RELAXED(&allowed_age.least, (uint64_t)(units * CLOCK_LATE_STEP_NS));
    STORE_RELAXED(&allowed_age.most, (uint64_t)(units * CLOCK_LONGEST_STEP_NS));
}

bool lt_step_clock(struct lt_clock_step *step, uint64_t ns, uint64_t now, uint64_t last_id) {
    step->quiet = last_id == step->last_id ? step->quiet + 1 : 0;
    step->last_id = last_id;
    uint64_t shown = LOAD_RELAXED(&lt_shared.now) >> LT_CONTEXT_BITS, age = (now - shown) & TIME_MASK;
    bool is_gap = false;
    if (step->ns && ns > step->ns) {
        uint64_t passed = (now - step->now) & TIME_MASK;
        // A birth may have refreshed the time after this step has read it.
        if (age > passed) now = shown;
        else is_gap = age_at_step(step, ns, passed, age) > CLOCK_LONGEST_STEP_NS;
        allow_age(step, ns, passed);
    }
    bool goes_on = !is_gap && step->quiet < LT_QUIET_STEPS;
    if (goes_on) show_time(now, shown);
    else hide_time();
    if (is_gap) note_gap(shown, now);
    // Births that the gap makes younger would otherwise meet one gap after the other.
    if (__atomic_exchange_n(&births_met_gap, false, __ATOMIC_RELAXED) && is_gap) {
        bool follows = step->pause && ns - step->gap_ns <= SUCCESSION_NS;
        uint64_t pause = follows ? step->pause * 2 : SHORTEST_PAUSE_NS;
        step->pause = pause < LONGEST_PAUSE_NS ? pause : LONGEST_PAUSE_NS;
        step->gap_ns = ns;
        STORE_RELAXED(&not_before, ns + step->pause);
    }
    step->ns = goes_on ? ns : 0;
    step->now = now;
    return goes_on;
}

#if defined(__linux__) && !__has_feature(thread_sanitizer)
// `has_arrived` is posted by the thread when it runs, if that is awaited.
static sem_t alarm_clock, has_arrived;
// Whether the thread was started before the program's own code, and is never started by a birth.
static bool is_started_early;

static void *keep_time(void *arrival) {
    struct lt_clock_step step;
    lt_begin_clock(&step);
    if (arrival) sem_post(arrival);
    for (;;) {
        while (sem_wait(&alarm_clock) && errno == EINTR) {}
        while (lt_step_clock(&step, lt_read_system_clock(), lt_read_time(), lt_last_id(lt_shared_core())))
            clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, CLOCK_STEP_NS}, NULL);
        STORE_RELEASE(&state, ASLEEP);
    }
    return NULL;
}

static bool change_state(uint32_t from, uint32_t to) {
    return __atomic_compare_exchange_n(&state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// Starts the thread, which sleeps until `alarm_clock` is posted; posts `arrival` when it runs, if that is not null.
static bool start_thread(sem_t *arrival) {
    // The program's signals are not for this thread. Swift's crash reporter suspends threads with SIGPROF, which stays
    // unblocked unless the program blocks it.
    sigset_t blocked, before;
    sigfillset(&blocked);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    if (!sigismember(&before, SIGPROF)) sigdelset(&blocked, SIGPROF);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    pthread_attr_t attributes;
    pthread_t thread;
    bool is_started = !pthread_attr_init(&attributes);
    if (is_started) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        // The thread needs little, and a program may have a low limit of address space. If the C library needs more for
        // thread-local variables, the thread does not start, and births read the ticks.
        pthread_attr_setstacksize(&attributes, CLOCK_STACK_SIZE);
        is_started = !pthread_create(&thread, &attributes, keep_time, arrival);
        if (is_started) pthread_setname_np(thread, "tracer-clock");
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

void lt_start_clock(void) {
    bool exists = change_state(ASLEEP, AWAKE);
    if (!exists && !change_state(NONE, AWAKE)) return;
    if (exists || start_thread(NULL)) sem_post(&alarm_clock);
    else STORE_RELEASE(&state, FAILED);
}

void lt_start_clock_early(void) {
    // Births on other threads leave the clock alone meanwhile.
    if (!change_state(NONE, AWAKE)) return;
    is_started_early = true;
    bool is_started = !sem_init(&has_arrived, 0, 0) && start_thread(&has_arrived);
    // Before, the C library blocks the thread's signals, and Swift's crash reporter could not suspend it.
    while (is_started && sem_wait(&has_arrived) && errno == EINTR) {}
    STORE_RELEASE(&state, is_started ? ASLEEP : FAILED);
}

// The thread does not exist in a fork child. If it was removing a gap, the gaps are in order, one of them twice.
static void forget_clock(void) {
    STORE_RELAXED(&gaps_version, (gaps_version + 1) & ~1u);
    mark_stripes(LT_BIRTHS_WITHOUT_CLOCK, true);
    STORE_RELAXED(&lt_shared.now, 0);
    STORE_RELAXED(&state, is_started_early ? FAILED : NONE);
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
void lt_start_clock_early(void) {}
#endif

uint64_t lt_clock_rests_until(void) { return LOAD_RELAXED(&not_before); }

bool lt_has_clock(void) { return LOAD_RELAXED(&lt_shared.now); }
