/// The fork barrier: every thread passes it before it takes a lock of the tracer, and `fork` closes it.
///
/// A fork child has one thread and a copy of all locks. A lock that another thread held at the fork would stay locked
/// forever, and the data behind it half changed. So `fork` closes the barrier, waits until no thread is inside, and
/// then copies: in the child every lock is free and all data behind the barrier is consistent. Written in C because it
/// needs a thread-local variable and atomic counters, and because its handlers may run where Swift's runtime must not
/// be used.

#ifndef C_FORK_BARRIER_H
#define C_FORK_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The number of counters; a power of two, a few times the number of processors of a large machine.
#define LT_FORK_COUNTERS 64

/// The number of threads inside the barrier that share one counter. Each counter has a cache line of its own, so that
/// threads do not slow each other down.
struct lt_fork_counter {
    _Alignas(64) _Atomic(uint32_t) inside;
};

/// The barrier's data on a thread.
struct lt_fork_visitor {
    /// How often the thread has entered without leaving, because locks may be nested.
    uint32_t depth;
    /// Whether the thread is between the prepare and the parent or child handler of its own `fork`.
    bool forks;
};

/// Whether the barrier is open, closed or out of order. Private to the barrier.
extern _Atomic(uint32_t) lt_fork_barrier_state;
/// Private to the barrier.
extern struct lt_fork_counter lt_fork_counters[LT_FORK_COUNTERS];
/// Private to the barrier. The TLS model saves a call at each access; the few bytes fit into the reserve of every
/// program.
extern _Thread_local struct lt_fork_visitor lt_fork_me __attribute__((tls_model("initial-exec")));

/// Waits until the barrier is open, and enters. Private to the barrier.
void lt_fork_enter_slowly(struct lt_fork_counter *_Nonnull counter);

/// Returns the counter of the calling thread, chosen by the address of its thread-local variable. The variables of two
/// threads are at least a stack apart, which is many pages.
static inline struct lt_fork_counter *_Nonnull lt_fork_counter_of_thread(void)
{
    return &lt_fork_counters[((uintptr_t)&lt_fork_me >> 12) % LT_FORK_COUNTERS];
}

/// Enters the barrier before a lock is taken. Until `lt_fork_leave` no other thread can fork.
///
/// A visit costs two atomic additions. Only the outermost visit of a thread can wait, so a thread never waits here
/// while it holds a lock.
static inline void lt_fork_enter(void)
{
    if (lt_fork_me.depth++ != 0)
        return;
    struct lt_fork_counter *counter = lt_fork_counter_of_thread();
    // Both accesses are sequentially consistent: either the forking thread sees this visitor, or the visitor sees the
    // barrier closed.
    atomic_fetch_add_explicit(&counter->inside, 1, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&lt_fork_barrier_state, memory_order_seq_cst) != 0, 0))
        lt_fork_enter_slowly(counter);
}

/// Leaves the barrier after the lock was released.
static inline void lt_fork_leave(void)
{
    if (--lt_fork_me.depth != 0)
        return;
    // Publishes the changes made inside to the forking thread.
    atomic_fetch_sub_explicit(&lt_fork_counter_of_thread()->inside, 1, memory_order_release);
}

/// Returns how often the calling thread has entered the barrier without leaving.
static inline uint32_t lt_fork_depth(void)
{
    return lt_fork_me.depth;
}

/// Leaves the barrier completely, however often the thread has entered it, and returns how often that was. A thread
/// that waits for another must not be inside. It must not hold any other lock.
static inline uint32_t lt_fork_leave_entirely(void)
{
    const uint32_t depth = lt_fork_me.depth;
    lt_fork_me.depth = 1;
    lt_fork_leave();
    return depth;
}

/// Enters the barrier as often as a thread has left it.
static inline void lt_fork_enter_again(uint32_t depth)
{
    lt_fork_enter();
    lt_fork_me.depth = depth;
}

/// Handlers around `fork` for locks of another kind. All three run on the forking thread, one at a time, while no other
/// thread is inside the barrier.
///
/// They must be written in C, or as simply as C. Swift's runtime takes locks of its own whenever it creates metadata,
/// and in the child no thread may exist to release them. The handlers may enter the barrier, and must not allocate.
struct lt_fork_hook {
    /// Takes all locks or none; returns false if one is taken. Must not wait.
    bool (*_Nonnull take)(void);
    /// Releases the locks that `take` took: in the parent after the fork, and before another attempt.
    void (*_Nonnull give_back)(void);
    /// Releases the locks in the child, where no other thread exists.
    void (*_Nonnull give_back_in_child)(void);
};

/// The most hooks.
#define LT_FORK_HOOKS 8

/// Calls a hook at each later `fork`, for the life of the process; returns false if there are too many hooks.
bool lt_fork_add_hook(struct lt_fork_hook hook);

/// Returns the number of forks between this process and its first ancestor, so a child has another number than its
/// parent.
uint32_t lt_fork_generation(void);

/// The most fork children that the list has room for.
#define LT_FORK_CHILDREN 256

/// Whether this process has forked, so that the list of its fork children may have entries; false in a fork child.
/// Costs a system call after the first fork.
bool lt_fork_has_children(void);

/// Returns the process id of a fork child, or of a child of a fork child, at a place of the list; 0 if the place is
/// free. A child stays in the list until it is forgotten, even after its end.
pid_t lt_fork_child(int place);

/// Frees a place of the list, unless another child has taken it.
void lt_fork_child_forget(int place, pid_t process);

/// A lock and a condition variable that are initialised again in a fork child, where the waiting threads do not exist.
///
/// A thread that locks `mutex` to access the data behind it must be inside the barrier. A thread that waits for
/// `changed` must be outside, and must not wait at the barrier while it holds `mutex`.
struct lt_fork_monitor {
    pthread_mutex_t mutex;
    /// Uses the monotonic clock for timeouts if the system supports that.
    pthread_cond_t changed;
    struct lt_fork_monitor *_Nullable next;
    struct lt_fork_monitor *_Nullable previous;
};

/// Returns the lock of a monitor. Needed by Swift, whose pointer to a field need not point to the field itself.
static inline pthread_mutex_t *_Nonnull lt_fork_monitor_mutex(struct lt_fork_monitor *_Nonnull monitor)
{
    return &monitor->mutex;
}

/// Returns the condition variable of a monitor.
static inline pthread_cond_t *_Nonnull lt_fork_monitor_condition(struct lt_fork_monitor *_Nonnull monitor)
{
    return &monitor->changed;
}

/// Creates a monitor, which must be destroyed with `lt_fork_monitor_destroy`; returns null if memory is short.
struct lt_fork_monitor *_Nullable lt_fork_monitor_create(void);

/// Destroys a monitor that no thread holds or waits for.
void lt_fork_monitor_destroy(struct lt_fork_monitor *_Nonnull monitor);

/// A descriptor that fork children must not keep.
struct lt_fork_file;

/// Closes a descriptor in each later fork child; it stays open in the parent. Returns null if memory is short or the
/// descriptor is closed. The result must be passed to `lt_fork_file_forget`.
struct lt_fork_file *_Nullable lt_fork_file_close_in_child(int descriptor);

/// Stops closing a descriptor in fork children. Must be called after the descriptor was closed, because a child forked
/// in between would keep it. If the number belongs to another file by then, that file is left alone.
void lt_fork_file_forget(struct lt_fork_file *_Nonnull file);

#endif
