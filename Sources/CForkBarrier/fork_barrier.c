#define _POSIX_C_SOURCE 200809L
#include "CForkBarrier.h"
#include "fork_children.h"
#include "fork_roster.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum barrier_state {
    OPEN,
    SHUT,
    // In a child whose parent could not empty the barrier: a thread that does not exist here may hold a lock.
    OUT_OF_ORDER,
};

// How long the barrier stays closed for one attempt. That is long compared with any work under a lock. It is also short
// enough for the case that a thread inside waits for one that waits at the barrier, as can happen in a lazy
// initialisation.
static const int64_t attempt_ns = 20 * 1000 * 1000;
// When to give up. A thread stays inside for so long only if it crashed there or forks from a signal handler.
static const int64_t patience_ns = 3000 * (int64_t)(1000 * 1000);

_Atomic(uint32_t) lt_fork_barrier_state = OPEN;
struct lt_fork_counter lt_fork_counters[LT_FORK_COUNTERS];
_Thread_local struct lt_fork_visitor lt_fork_me;

// Held by a forking thread while the barrier is closed. Other threads wait for it, and forks run one after the other.
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static bool gave_up;
// The state of the barrier between forks. Changed only in a child that has no other thread yet.
static uint32_t usual_state = OPEN;
// Changed only in a child that has no other thread yet.
static _Atomic(uint32_t) generation;

uint32_t lt_fork_generation(void)
{
    return atomic_load_explicit(&generation, memory_order_relaxed);
}

void lt_fork_enter_slowly(struct lt_fork_counter *counter)
{
    // The fork handlers of other libraries run on the forking thread while the barrier is closed, and may use the data
    // behind it. They must not create or destroy traced objects, because the stripes are locked.
    while (!lt_fork_me.forks) {
        uint32_t state = atomic_load_explicit(&lt_fork_barrier_state, memory_order_seq_cst);
        if (state == OPEN)
            return;
        if (state == OUT_OF_ORDER) {
            static const char text[] =
                "LifetimeTracer cannot be used in this fork child: a thread of the parent held a lock for 3 seconds"
                " during fork. Call exec in the child, or do not fork after a crash.\n";
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

// Returns whether all threads except the calling one have left by `end`. The barrier is closed, so a counter that was
// once empty stays empty.
static bool is_empty_by(int64_t end)
{
    // A thread that forks while it holds a lock also holds it in the child.
    const struct lt_fork_counter *own = lt_fork_me.depth > 0 ? lt_fork_counter_of_thread() : NULL;
    for (int i = 0; i < LT_FORK_COUNTERS; i++) {
        struct lt_fork_counter *counter = &lt_fork_counters[i];
        const uint32_t mine = counter == own ? 1 : 0;
        // The load acquires the changes of the threads that have left.
        for (int looks = 0; atomic_load_explicit(&counter->inside, memory_order_seq_cst) > mine; looks++) {
            // Most threads stay for less than a microsecond.
            if (looks < 200)
                continue;
            if (now_ns() > end)
                return false;
            // Not `sched_yield`, because the threads inside may have a lower priority.
            sleep_ns(20 * 1000);
        }
    }
    return true;
}

static void shut(void)
{
    pthread_mutex_lock(&door);
    lt_fork_me.forks = true;
    atomic_store_explicit(&lt_fork_barrier_state, SHUT, memory_order_seq_cst);
}

static void open_again(void)
{
    atomic_store_explicit(&lt_fork_barrier_state, usual_state, memory_order_seq_cst);
    lt_fork_me.forks = false;
    pthread_mutex_unlock(&door);
}

// glibc's order (posix/fork.c, 2.36): the prepare handlers; the locks of malloc and stdio; the fork itself; in the
// child, repair of malloc and stdio; the handlers of the parent or the child. So a thread inside can allocate while
// this function waits for it, and the child's handlers could allocate as well. They do not, because other systems
// promise nothing. All code here is C: even to compare two optionals, Swift may create metadata under a lock that a
// vanished thread holds.
static void before_fork(void)
{
    const int64_t give_up_at = now_ns() + patience_ns;
    while (true) {
        shut();
        lt_fork_children_prepare();
        gave_up = usual_state == OUT_OF_ORDER;
        if (gave_up)
            return;
        if (is_empty_by(now_ns() + attempt_ns) && lt_fork_roster_take())
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
    lt_fork_roster_give_back();
    open_again();
}

static void after_fork_in_child(void)
{
    // No other thread exists, so none can be entering or leaving.
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
    for (int i = 0; i < LT_FORK_COUNTERS; i++)
        atomic_store_explicit(&lt_fork_counters[i].inside, 0, memory_order_relaxed);
    if (lt_fork_me.depth > 0)
        atomic_store_explicit(&lt_fork_counter_of_thread()->inside, 1, memory_order_relaxed);
    lt_fork_children_enter();
    lt_fork_roster_give_back_in_child();
    if (gave_up)
        usual_state = OUT_OF_ORDER;
    open_again();
}

// Runs when the program is loaded, before most other libraries register handlers. Their handlers, which then run first
// before the fork and last after it, find the barrier open.
__attribute__((constructor)) static void watch_forks(void)
{
    if (pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0)
        abort();
}
