#define _GNU_SOURCE
#include "fork_children.h"
#include "CForkBarrier.h"

#include <sys/mman.h>
#include <unistd.h>

// Memory that fork children share with their parent, so that each child can enter itself. A child of a child uses the
// same memory. `exec` unmaps the memory, but leaves the entry.
struct children {
    // The process that created the list, and alone reads it.
    pid_t parent;
    _Atomic(pid_t) processes[LT_FORK_CHILDREN];
};

static _Atomic(struct children *) children;

void lt_fork_children_prepare(void)
{
    if (atomic_load_explicit(&children, memory_order_relaxed))
        return;
    void *memory = mmap(NULL, sizeof(struct children), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    // Without the list, children are not known, and nothing else is lost.
    if (memory == MAP_FAILED)
        return;
    struct children *made = memory;
    made->parent = getpid();
    atomic_store_explicit(&children, made, memory_order_release);
}

void lt_fork_children_enter(void)
{
    struct children *list = atomic_load_explicit(&children, memory_order_relaxed);
    if (!list)
        return;
    const pid_t me = getpid();
    for (int i = 0; i < LT_FORK_CHILDREN; i++) {
        pid_t free = 0;
        if (atomic_compare_exchange_strong_explicit(
                &list->processes[i], &free, me, memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

bool lt_fork_has_children(void)
{
    struct children *list = atomic_load_explicit(&children, memory_order_acquire);
    return list && list->parent == getpid();
}

pid_t lt_fork_child(int place)
{
    struct children *list = atomic_load_explicit(&children, memory_order_acquire);
    return list ? atomic_load_explicit(&list->processes[place], memory_order_relaxed) : 0;
}

void lt_fork_child_forget(int place, pid_t process)
{
    struct children *list = atomic_load_explicit(&children, memory_order_acquire);
    // Another child has entered itself in the meantime if the place holds another process.
    if (list)
        atomic_compare_exchange_strong_explicit(
            &list->processes[place], &process, 0, memory_order_relaxed, memory_order_relaxed);
}
