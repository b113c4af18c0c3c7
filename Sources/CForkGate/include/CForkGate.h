/// The gate through which every thread goes before it takes a lock of the tracer, and which `fork` shuts.
///
/// A child of `fork` has one thread and a copy of all locks. One that another thread held at that moment would stay
/// locked for ever, and what it guards half changed. So `fork` shuts the gate, waits until nobody is inside, and then
/// copies; in the child every lock is free and everything behind it whole. In C because it needs a thread-local
/// variable and atomic counters, and because its handlers may run where Swift's runtime must not be asked for anything.

#ifndef C_FORK_GATE_H
#define C_FORK_GATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/// How many counters there are; a power of two, a few times the processors of a large machine.
#define TRACER_FORK_COUNTERS 64

/// The threads that are inside, those of one counter. A cache line each, so that threads do not slow each other down.
struct tracer_fork_counter {
    _Alignas(64) _Atomic(uint32_t) inside;
};

/// What the gate knows of a thread.
struct tracer_fork_visitor {
    /// How often it has entered and not left: locks may be nested.
    uint32_t depth;
    /// Whether it is between the two sides of a `fork` of its own.
    bool forks;
};

/// Whether the gate is open, shut, or out of order; not to be used from outside.
extern _Atomic(uint32_t) tracer_fork_gate_state;
/// Not to be used from outside.
extern struct tracer_fork_counter tracer_fork_counters[TRACER_FORK_COUNTERS];
/// Not to be used from outside. The model spares a call at each access; the few bytes fit in what every program
/// reserves.
extern _Thread_local struct tracer_fork_visitor tracer_fork_me __attribute__((tls_model("initial-exec")));

/// Waits until the gate is open and enters; not to be used from outside.
void tracer_fork_enter_slowly(struct tracer_fork_counter *_Nonnull counter);

/// The counter of the calling thread. The places of two threads' variables differ by the size of a stack, which is many
/// pages.
static inline struct tracer_fork_counter *_Nonnull tracer_fork_counter_of_thread(void)
{
    return &tracer_fork_counters[((uintptr_t)&tracer_fork_me >> 12) % TRACER_FORK_COUNTERS];
}

/// Enters, before a lock is taken: from here to `tracer_fork_leave` no `fork` happens on another thread.
///
/// Two atomic additions a visit. Only the outermost visit of a thread can wait, so a thread that holds a lock never
/// does.
static inline void tracer_fork_enter(void)
{
    if (tracer_fork_me.depth++ != 0)
        return;
    struct tracer_fork_counter *counter = tracer_fork_counter_of_thread();
    // Sequentially consistent, both: either the forking thread sees this visitor, or the visitor sees the gate shut.
    atomic_fetch_add_explicit(&counter->inside, 1, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&tracer_fork_gate_state, memory_order_seq_cst) != 0, 0))
        tracer_fork_enter_slowly(counter);
}

/// Leaves, after the lock was given back.
static inline void tracer_fork_leave(void)
{
    if (--tracer_fork_me.depth != 0)
        return;
    // Releases what was changed inside to the forking thread.
    atomic_fetch_sub_explicit(&tracer_fork_counter_of_thread()->inside, 1, memory_order_release);
}

/// What somebody with locks of another kind wants to do around `fork`. All three run on the forking thread, one at a
/// time, while nobody else is inside the gate.
///
/// To be written in C, or as plain as C: Swift's runtime takes locks of its own wherever it makes metadata, and in the
/// child nobody may be left to give them back. They may enter the gate, and must not allocate.
struct tracer_fork_hook {
    /// Takes all of them, or none: false if one is taken. Must not wait.
    bool (*_Nonnull take)(void);
    /// Gives back what `take` took: in the parent after the fork, and before another attempt.
    void (*_Nonnull give_back)(void);
    /// The same in the child, where every other thread has vanished.
    void (*_Nonnull give_back_in_child)(void);
};

/// The most hooks.
#define TRACER_FORK_HOOKS 8

/// Has a hook called at each `fork` from now on, for the life of the process; false if there are too many.
bool tracer_fork_add_hook(struct tracer_fork_hook hook);

/// How often this process is removed from its first ancestor by `fork`; a child has another number than its parent.
uint32_t tracer_fork_generation(void);

/// A lock and a condition variable that are as new in a child of `fork`, where those who waited have vanished.
///
/// Whoever locks `mutex` to get at what it guards must be inside the gate; whoever waits for `changed` must not, and
/// must not wait at the gate while it holds `mutex`.
struct tracer_fork_monitor {
    pthread_mutex_t mutex;
    /// Waits on the monotonic clock, where the system can.
    pthread_cond_t changed;
    struct tracer_fork_monitor *_Nullable next;
    struct tracer_fork_monitor *_Nullable previous;
};

/// The lock of a monitor. For Swift, which has no pointer to a field that is sure to be the field's own.
static inline pthread_mutex_t *_Nonnull tracer_fork_monitor_mutex(struct tracer_fork_monitor *_Nonnull monitor)
{
    return &monitor->mutex;
}

/// The condition variable of a monitor.
static inline pthread_cond_t *_Nonnull tracer_fork_monitor_condition(struct tracer_fork_monitor *_Nonnull monitor)
{
    return &monitor->changed;
}

/// Creates a monitor; a null pointer when there is no memory. To be destroyed with `tracer_fork_monitor_destroy`.
struct tracer_fork_monitor *_Nullable tracer_fork_monitor_create(void);

/// Destroys a monitor that nobody holds or awaits.
void tracer_fork_monitor_destroy(struct tracer_fork_monitor *_Nonnull monitor);

/// A descriptor that a child of `fork` is not to have.
struct tracer_fork_file;

/// Has a descriptor closed in each child that is forked from now on; it stays open in the parent. A null pointer when
/// there is no memory or the descriptor is closed. To be ended with `tracer_fork_file_forget`.
struct tracer_fork_file *_Nullable tracer_fork_file_close_in_child(int descriptor);

/// Ends that, after the descriptor was closed: before, a child that is forked meanwhile would keep it. A number that is
/// another file by then is left alone.
void tracer_fork_file_forget(struct tracer_fork_file *_Nonnull file);

#endif
