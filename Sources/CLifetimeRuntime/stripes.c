// The stripes: one for each thread, and the list of all.
#define _GNU_SOURCE
#include "atomics.h"
#include "CForkBarrier.h"
#ifdef __linux__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

THREAD_LOCAL lt_stripe *lt_own;

// Protects the list, its length and the idle stripes. Held while all stripes are locked, so that none is added
// meanwhile.
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static lt_stripe *first, *idle;
static uint32_t stripe_count;
static pthread_key_t exit_key;
// Without a key, because the program has used them all, the stripes of ended threads are not reused.
static bool has_exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;

static void thread_ends(void *unused) {
    (void)unused;
    pthread_mutex_lock(&list_lock);
    if (lt_own) {
        // The known stacks contain addresses in this thread's stack.
        free(lt_own->known_stacks);
        lt_own->known_stacks = NULL;
        lt_own->next_idle = idle;
        idle = lt_own;
        // A death in a later destructor of this thread adopts a stripe again and runs this function once more.
        lt_own = NULL;
    }
    pthread_mutex_unlock(&list_lock);
}

static void make_exit_key(void) { has_exit_key = !pthread_key_create(&exit_key, thread_ends); }

lt_stripe *lt_own_stripe(void) { return lt_own; }
lt_stripe *lt_first_stripe(void) { return LOAD_ACQUIRE(&first); }
uint32_t lt_stripe_count(void) { return LOAD_RELAXED(&stripe_count); }

static lt_stripe *make_stripe(void) {
    // Each stripe has a pair of cache lines of its own, so that no two threads write to the same line.
    size_t size = (sizeof(lt_stripe) + 127) & ~(size_t)127;
    lt_stripe *stripe = aligned_alloc(128, size);
    if (!stripe) return NULL;
#ifdef __GLIBC__
    size = malloc_usable_size(stripe);
#endif
    // Clears the whole block, because old contents must not look like references that the stripe holds.
    memset(stripe, 0, size);
    stripe->next_id = 1;
    stripe->plain = LT_LIVE;
    stripe->plain_span = LT_SCOPED;
    if (first) {
        stripe->plain = first->plain;
        stripe->plain_span = first->plain_span;
        stripe->snapshot = first->snapshot;
        stripe->cut = first->cut;
    }
    stripe->next = first;
    STORE_RELEASE(&first, stripe);
    STORE_RELAXED(&stripe_count, stripe_count + 1);
    return stripe;
}

lt_stripe *lt_adopt_stripe(void) {
    if (lt_own) return lt_own;
    pthread_once(&exit_key_once, make_exit_key);
    if (has_exit_key) pthread_setspecific(exit_key, &exit_key);
    pthread_mutex_lock(&list_lock);
    lt_stripe *stripe = idle;
    if (stripe) idle = stripe->next_idle;
    else {
        // The first stripe is locked while its state is copied and the new stripe becomes the first, because a snapshot
        // may be in progress.
        lt_stripe *model = first;
        if (model) lock_stripe(model);
        stripe = make_stripe();
        if (model) unlock_stripe(model);
    }
    pthread_mutex_unlock(&list_lock);
    return lt_own = stripe;
}

// A thread holds the lock for some tens of nanoseconds, unless it is preempted or holds all stripes.
COLD void lt_lock_contended(lt_stripe *stripe) {
    uint32_t round = 0;
    do {
        while (LOAD_RELAXED(&stripe->lock)) {
            if (++round < 64) PAUSE();
            else if (round < 1000) sched_yield();
            else nanosleep(&(struct timespec){0, 50000}, NULL);
        }
    } while (__atomic_exchange_n(&stripe->lock, 1, __ATOMIC_SEQ_CST));
}

void lt_lock(lt_stripe *stripe) { lock_stripe(stripe); }
bool lt_try_lock(lt_stripe *stripe) { return !__atomic_exchange_n(&stripe->lock, 1, __ATOMIC_SEQ_CST); }
void lt_unlock(lt_stripe *stripe) { unlock_stripe(stripe); }

bool lt_grow_counts(lt_stripe *stripe, uint32_t type) {
    uint32_t size = stripe->count_size ? stripe->count_size : 64;
    while (size <= type) size *= 2;
    lt_count *counts = realloc(stripe->counts, size * sizeof *counts);
    if (!counts) return false;
    memset(counts + stripe->count_size, 0, (size - stripe->count_size) * sizeof *counts);
    stripe->counts = counts;
    stripe->count_size = size;
    return true;
}

void lt_add_room(lt_stripe *stripe, uint32_t type, int64_t room) {
    lt_count *count = &stripe->counts[type];
    count->room += room;
    count->low += room;
    count->floor = count->low > 0 ? count->low : 0;
}

static bool try_lock_each(void) {
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        uint32_t round = 0;
        while (!lt_try_lock(stripe)) {
            if (++round < 200) {
                PAUSE();
                continue;
            }
            for (lt_stripe *held = first; held != stripe; held = held->next) unlock_stripe(held);
            return false;
        }
    }
    return true;
}

void lt_lock_all(void) {
    pthread_mutex_lock(&list_lock);
    // A thread that is preempted inside its own stripe must not block other threads through this one, so this thread
    // never waits while it holds a lock.
    for (uint32_t attempt = 0; !try_lock_each(); attempt++) {
        if (attempt < 50) sched_yield();
        else nanosleep(&(struct timespec){0, 20000}, NULL);
    }
}

bool lt_try_lock_all(void) {
    if (pthread_mutex_trylock(&list_lock)) return false;
    if (try_lock_each()) return true;
    pthread_mutex_unlock(&list_lock);
    return false;
}

void lt_unlock_all(void) {
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) unlock_stripe(stripe);
    pthread_mutex_unlock(&list_lock);
}

void lt_settle(void) {
    for (lt_stripe *stripe = lt_first_stripe(); stripe; stripe = stripe->next) {
        uint32_t round = 0;
        // It is enough to see the lock free once: a thread that takes it afterwards sees the caller's earlier writes.
        // That holds because the caller's write, the taking of the lock and the load of the record after it are all
        // sequentially consistent.
        while (__atomic_load_n(&stripe->lock, __ATOMIC_SEQ_CST)) {
            if (++round < 64) PAUSE();
            else sched_yield();
        }
    }
}

static void list_piece(lt_memory *pieces, size_t room, size_t *count, const void *start, size_t size) {
    if (!start) return;
    if (*count < room) pieces[*count] = (lt_memory){(uintptr_t)start, (uintptr_t)start + size};
    ++*count;
}

size_t lt_list_memory(lt_memory *pieces, size_t room) {
    size_t count = 0;
    for (lt_stripe *stripe = lt_first_stripe(); stripe; stripe = stripe->next) {
        lock_stripe(stripe);
        list_piece(pieces, room, &count, stripe, sizeof *stripe);
        list_piece(pieces, room, &count, stripe->counts, stripe->count_size * sizeof *stripe->counts);
        list_piece(pieces, room, &count, stripe->log, stripe->log_size * sizeof *stripe->log);
        unlock_stripe(stripe);
    }
    return count;
}

// Releases the stripes in a fork child, where the threads of the other stripes do not exist: those stripes become idle.
// They are consistent, because all were locked.
static void unlock_all_in_child(void) {
    idle = NULL;
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        if (stripe == lt_own) continue;
        // The known stacks contain addresses in a vanished thread's stack, and may be half written. They are leaked,
        // because freeing takes a lock of malloc.
        stripe->known_stacks = NULL;
        stripe->next_idle = idle;
        idle = stripe;
    }
    lt_unlock_all();
}

__attribute__((constructor)) static void hold_still_for_forks(void) {
    if (!lt_fork_add_hook((struct lt_fork_hook){lt_try_lock_all, lt_unlock_all, unlock_all_in_child})) abort();
}
