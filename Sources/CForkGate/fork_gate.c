#define _POSIX_C_SOURCE 200809L
#include "CForkGate.h"
#include "fork_roster.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum gate_state {
    OPEN,
    SHUT,
    // In a child whose parent could not empty the gate: somebody who has vanished may hold a lock.
    OUT_OF_ORDER,
};

// How long the gate stays shut for one attempt. Long for anything that is done under a lock; and if those inside wait
// for one who waits at the gate, as they may in a lazy initialization, it is over soon.
static const int64_t attempt_ns = 20 * 1000 * 1000;
// When to give up. A thread is inside for so long only if it crashed there, or forks from a signal handler.
static const int64_t patience_ns = 3000 * (int64_t)(1000 * 1000);

_Atomic(uint32_t) tracer_fork_gate_state = OPEN;
struct tracer_fork_counter tracer_fork_counters[TRACER_FORK_COUNTERS];
_Thread_local struct tracer_fork_visitor tracer_fork_me;

// Held by a forking thread while the gate is shut: others wait for it, and forks come one after the other.
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static bool gave_up;
// What the gate is between forks. Only changed in a child that has no other thread yet.
static uint32_t usual_state = OPEN;
// Only changed in a child that has no other thread yet.
static _Atomic(uint32_t) generation;

uint32_t tracer_fork_generation(void)
{
    return atomic_load_explicit(&generation, memory_order_relaxed);
}

void tracer_fork_enter_slowly(struct tracer_fork_counter *counter)
{
    // The handlers of other libraries run on the forking thread while the gate is shut, and may use what is behind it. They must
    // not make or destroy traced objects, whose stripes are held.
    while (!tracer_fork_me.forks) {
        uint32_t state = atomic_load_explicit(&tracer_fork_gate_state, memory_order_seq_cst);
        if (state == OPEN)
            return;
        if (state == OUT_OF_ORDER) {
            static const char text[] =
                "LifetimeTracer cannot be used in this child of fork: a lock was held for 3 seconds when it was forked."
                " Call exec in the child, or fork where no thread has crashed.\n";
            (void)!write(STDERR_FILENO, text, sizeof text - 1);
            abort();
        }
        atomic_fetch_sub_explicit(&counter->inside, 1, memory_order_release);
        pthread_mutex_lock(&door);
        pthread_mutex_unlock(&door);
        atomic_fetch_add_explicit(&counter->inside, 1, memory_order_seq_cst);
    }
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_ns(long nanoseconds)
{
    struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
}

// Whether all but the calling thread leave by then. The gate is shut, so a counter that was once empty stays so.
static bool is_empty_by(int64_t end)
{
    // A thread that forks while it holds a lock has it in the child, too.
    const struct tracer_fork_counter *own = tracer_fork_me.depth > 0 ? tracer_fork_counter_of_thread() : NULL;
    for (int i = 0; i < TRACER_FORK_COUNTERS; i++) {
        struct tracer_fork_counter *counter = &tracer_fork_counters[i];
        const uint32_t mine = counter == own ? 1 : 0;
        // Acquires what those who have left changed.
        for (int looks = 0; atomic_load_explicit(&counter->inside, memory_order_seq_cst) > mine; looks++) {
            // Most stay for less than a microsecond.
            if (looks < 200)
                continue;
            if (now_ns() > end)
                return false;
            // Not `sched_yield`: those inside may have a lower priority.
            sleep_ns(20 * 1000);
        }
    }
    return true;
}

static void shut(void)
{
    pthread_mutex_lock(&door);
    tracer_fork_me.forks = true;
    atomic_store_explicit(&tracer_fork_gate_state, SHUT, memory_order_seq_cst);
}

static void open_again(void)
{
    atomic_store_explicit(&tracer_fork_gate_state, usual_state, memory_order_seq_cst);
    tracer_fork_me.forks = false;
    pthread_mutex_unlock(&door);
}

// The order of glibc (posix/fork.c, 2.36): the prepare handlers; malloc's and stdio's locks; the fork itself; in the
// child malloc and stdio are made usable; the handlers of the parent or the child. So whoever is inside can get memory
// while this waits for them, and the child's handlers could allocate. They do not, as other systems promise nothing.
// All is C here: even to compare two optionals, Swift may make metadata, under a lock that a vanished thread may hold.
static void before_fork(void)
{
    const int64_t give_up_at = now_ns() + patience_ns;
    while (true) {
        shut();
        gave_up = usual_state == OUT_OF_ORDER;
        if (gave_up)
            return;
        if (is_empty_by(now_ns() + attempt_ns) && roster_take())
            return;
        gave_up = now_ns() > give_up_at;
        if (gave_up)
            return;
        open_again();
        sleep_ns(200 * 1000);
    }
}

static void after_fork_in_parent(void)
{
    roster_give_back();
    open_again();
}

static void after_fork_in_child(void)
{
    // No thread but this one, so nobody can be in between.
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
    for (int i = 0; i < TRACER_FORK_COUNTERS; i++)
        atomic_store_explicit(&tracer_fork_counters[i].inside, 0, memory_order_relaxed);
    if (tracer_fork_me.depth > 0)
        atomic_store_explicit(&tracer_fork_counter_of_thread()->inside, 1, memory_order_relaxed);
    roster_give_back_in_child();
    if (gave_up)
        usual_state = OUT_OF_ORDER;
    open_again();
}

// When the program is loaded: earlier than the handlers of most others, so that theirs, which run first before the fork
// and last after it, find the gate open.
__attribute__((constructor)) static void watch_forks(void)
{
    if (pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0)
        abort();
}
