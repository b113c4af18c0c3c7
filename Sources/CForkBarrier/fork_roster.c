#define _POSIX_C_SOURCE 200809L
#include "fork_roster.h"
#include "CForkBarrier.h"

#include <stdlib.h>
#include <time.h>

// Held by the forking thread from `lt_fork_roster_take` on. No thread waits for anything while it holds the lock.
static pthread_mutex_t roster = PTHREAD_MUTEX_INITIALIZER;
// Whether a forking thread holds the hooks' locks and the roster; accessed only by that thread.
static bool is_taken;
static struct lt_fork_hook hooks[LT_FORK_HOOKS];
static int hook_count;
static struct lt_fork_monitor *monitors;

// The fork handlers of other libraries run on the forking thread while it holds the roster, and may create monitors.
static bool is_mine(void)
{
    return lt_fork_me.forks && is_taken;
}

void lt_fork_roster_lock(void)
{
    if (!is_mine())
        pthread_mutex_lock(&roster);
}

void lt_fork_roster_unlock(void)
{
    if (!is_mine())
        pthread_mutex_unlock(&roster);
}

bool lt_fork_add_hook(struct lt_fork_hook hook)
{
    lt_fork_roster_lock();
    const bool has_room = hook_count < LT_FORK_HOOKS;
    if (has_room)
        hooks[hook_count++] = hook;
    lt_fork_roster_unlock();
    return has_room;
}

bool lt_fork_roster_take(void)
{
    pthread_mutex_lock(&roster);
    for (int i = 0; i < hook_count; i++) {
        if (hooks[i].take())
            continue;
        while (i-- > 0)
            hooks[i].give_back();
        pthread_mutex_unlock(&roster);
        return false;
    }
    is_taken = true;
    return true;
}

void lt_fork_roster_give_back(void)
{
    if (!is_taken)
        return;
    for (int i = hook_count; i-- > 0;)
        hooks[i].give_back();
    is_taken = false;
    pthread_mutex_unlock(&roster);
}

static void make_condition(pthread_cond_t *condition)
{
#if defined(__APPLE__)
    pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    // A change of the time of day must not prolong a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
#endif
}

void lt_fork_roster_give_back_in_child(void)
{
    if (!is_taken)
        return;
    for (struct lt_fork_monitor *monitor = monitors; monitor; monitor = monitor->next) {
        // Initialised again without being destroyed, because destroying would wait for threads that do not exist here.
        // No thread was inside the barrier. So the lock is held at most by a thread that was about to wait or had just
        // waited, and which changes nothing.
        pthread_mutex_init(&monitor->mutex, NULL);
        make_condition(&monitor->changed);
    }
    lt_fork_roster_close_files();
    for (int i = hook_count; i-- > 0;)
        hooks[i].give_back_in_child();
    is_taken = false;
    pthread_mutex_unlock(&roster);
}

struct lt_fork_monitor *lt_fork_monitor_create(void)
{
    struct lt_fork_monitor *monitor = malloc(sizeof *monitor);
    if (!monitor)
        return NULL;
    pthread_mutex_init(&monitor->mutex, NULL);
    make_condition(&monitor->changed);
    monitor->previous = NULL;
    lt_fork_roster_lock();
    monitor->next = monitors;
    if (monitors)
        monitors->previous = monitor;
    monitors = monitor;
    lt_fork_roster_unlock();
    return monitor;
}

void lt_fork_monitor_destroy(struct lt_fork_monitor *monitor)
{
    lt_fork_roster_lock();
    if (monitor->previous)
        monitor->previous->next = monitor->next;
    else
        monitors = monitor->next;
    if (monitor->next)
        monitor->next->previous = monitor->previous;
    lt_fork_roster_unlock();
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
}
