// The stripes: one for each thread, and the list of all.
#define _GNU_SOURCE
#include "stripe_claims.h"
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

// Protects the list, its length and the idle stripes. Held while all stripes are claimed, so that none is added
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
lt_stripe *lt_first_stripe(void) { return __atomic_load_n(&first, __ATOMIC_SEQ_CST); }
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
    stripe->next_word = LT_LIVE | 1;
    stripe->last_word = LT_LIVE;
    stripe->ids_stale_at = LT_NEVER;
    stripe->plain = LT_LIVE;
    stripe->plain_span = LT_SCOPED;
    // These fields change only while all stripes are claimed, that is, under the list's lock.
    if (first) {
        stripe->plain = first->plain;
        stripe->plain_span = first->plain_span;
        stripe->snapshot = first->snapshot;
        stripe->cut = first->cut;
    }
    stripe->next = first;
    __atomic_store_n(&first, stripe, __ATOMIC_SEQ_CST);
    adopt_form(stripe);
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
    else stripe = make_stripe();
    pthread_mutex_unlock(&list_lock);
    return lt_own = stripe;
}

bool lt_grow_counts(uint32_t type) {
    lt_stripe *stripe = lt_own;
    // The lock lets another thread look at the counters without a claim: see `lt_take_room`.
    pthread_mutex_lock(&list_lock);
    uint32_t size = stripe->count_size ? stripe->count_size : 64;
    while (size <= type) size *= 2;
    lt_count *counts = calloc(size, sizeof *counts), *old = stripe->counts;
    if (counts) {
        enter_stripe(stripe);
        if (old) memcpy(counts, old, stripe->count_size * sizeof *counts);
        stripe->counts = counts;
        stripe->count_size = size;
        leave_stripe(stripe);
    }
    pthread_mutex_unlock(&list_lock);
    if (counts) free(old);
    return counts;
}

void lt_add_room(lt_stripe *stripe, uint32_t type, int64_t room) {
    lt_count *count = &stripe->counts[type];
    set_room(count, room_of(count) + room, count->low + room);
}

// Returns the first stripe from a position on, but not the calling thread's, that seems to have some room for a type.
// Births and deaths go on meanwhile, so a death that another thread has just recorded may not be visible yet.
static lt_stripe *find_room(lt_stripe *stripe, uint32_t type, int64_t least) {
    pthread_mutex_lock(&list_lock);
    for (; stripe; stripe = stripe->next) {
        if (stripe != lt_own && type < stripe->count_size && room_of(&stripe->counts[type]) >= least) break;
    }
    pthread_mutex_unlock(&list_lock);
    return stripe;
}

int64_t lt_take_room(uint32_t type, int64_t least) {
    lt_stripe *stripe = lt_first_stripe();
    while ((stripe = find_room(stripe, type, least))) {
        // Claimed only now, because a claim interrupts all running threads.
        lt_claim(stripe);
        int64_t room = room_of(&stripe->counts[type]), taken = room >= least ? (room + 1) / 2 : 0;
        // The moved room counts as if it had always been in the other stripe, so that the unused room is known for
        // both.
        if (taken) lt_add_room(stripe, type, -taken);
        lt_release(stripe);
        if (taken) return taken;
        stripe = stripe->next;
    }
    return 0;
}

void lt_claim_all(void) {
    pthread_mutex_lock(&list_lock);
    for (uint32_t attempt = 0; !try_claim_each(first); attempt++) {
        if (attempt < 50) sched_yield();
        else nanosleep(&(struct timespec){0, 20000}, NULL);
    }
}

bool lt_try_claim_all(void) {
    if (pthread_mutex_trylock(&list_lock)) return false;
    if (try_claim_each(first)) return true;
    pthread_mutex_unlock(&list_lock);
    return false;
}

void lt_release_all(void) {
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) lt_release(stripe);
    pthread_mutex_unlock(&list_lock);
}

static void list_piece(lt_memory *pieces, size_t room, size_t *count, const void *start, size_t size) {
    if (!start) return;
    if (*count < room) pieces[*count] = (lt_memory){(uintptr_t)start, (uintptr_t)start + size};
    ++*count;
}

size_t lt_list_memory(lt_memory *pieces, size_t room) {
    size_t count = 0;
    lt_claim_all();
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        list_piece(pieces, room, &count, stripe, sizeof *stripe);
        list_piece(pieces, room, &count, stripe->counts, stripe->count_size * sizeof *stripe->counts);
        list_piece(pieces, room, &count, stripe->log, stripe->log_size * sizeof *stripe->log);
    }
    lt_release_all();
    return count;
}

// Releases the stripes in a fork child, where the threads of the other stripes do not exist: those stripes become idle.
// They are consistent, because all were claimed.
static void release_all_in_child(void) {
    idle = NULL;
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        if (stripe == lt_own) continue;
        // The known stacks contain addresses in a vanished thread's stack, and may be half written. They are leaked,
        // because freeing takes a lock of malloc.
        stripe->known_stacks = NULL;
        stripe->next_idle = idle;
        idle = stripe;
    }
    lt_release_all();
}

__attribute__((constructor)) static void hold_still_for_forks(void) {
    if (!lt_fork_add_hook((struct lt_fork_hook){lt_try_claim_all, lt_release_all, release_all_in_child})) abort();
}
