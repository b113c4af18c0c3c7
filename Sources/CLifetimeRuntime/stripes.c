// The stripes: one for each thread, and the list of all.
#define _GNU_SOURCE
#include "ready.h"
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

lt_stripe lt_no_stripe = {.claim = LT_NO_STRIPE};
THREAD_LOCAL lt_stripe *lt_own = &lt_no_stripe;

// Protects the list, its length and the idle stripes. Held while all stripes are claimed, so that none is added
// meanwhile.
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static lt_stripe *first, *idle;
static uint32_t stripe_count;
// The number of counters of each stripe.
static uint32_t count_size = 64;
// The bits of `claim` that all stripes have.
static uint32_t marks = LT_BIRTHS_WITHOUT_CLOCK;
static pthread_key_t exit_key;
// Without a key, because the program has used them all, the stripes of ended threads are not reused.
static bool has_exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;

static void thread_ends(void *unused) {
    (void)unused;
    pthread_mutex_lock(&list_lock);
    if (lt_own != &lt_no_stripe) {
        // The known stacks contain addresses in this thread's stack.
        free(lt_own->known_stacks);
        lt_own->known_stacks = NULL;
        lt_own->next_idle = idle;
        idle = lt_own;
        // A death in a later destructor of this thread adopts a stripe again and runs this function once more.
        lt_own = &lt_no_stripe;
    }
    pthread_mutex_unlock(&list_lock);
}

static void make_exit_key(void) { has_exit_key = !pthread_key_create(&exit_key, thread_ends); }

lt_stripe *lt_own_stripe(void) { return LIKELY(lt_own != &lt_no_stripe) ? lt_own : NULL; }
lt_stripe *lt_first_stripe(void) { return __atomic_load_n(&first, __ATOMIC_SEQ_CST); }
uint32_t lt_stripe_count(void) { return LOAD_RELAXED(&stripe_count); }
uint32_t lt_count_size(void) { return LOAD_RELAXED(&count_size); }

void lock_stripes(void) { pthread_mutex_lock(&list_lock); }
void unlock_stripes(void) { pthread_mutex_unlock(&list_lock); }

void mark_stripes(uint32_t bit, bool is_set) {
    marks = is_set ? marks | bit : marks & ~bit;
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        if (is_set) __atomic_fetch_or(&stripe->claim, bit, __ATOMIC_SEQ_CST);
        else __atomic_fetch_and(&stripe->claim, ~bit, __ATOMIC_RELEASE);
    }
}

// Counters have cache lines of their own, so that no two threads write to the same line.
static lt_count *make_counts(uint32_t size) {
    lt_count *counts = aligned_alloc(128, size * sizeof *counts);
    if (counts) memset(counts, 0, size * sizeof *counts);
    return counts;
}

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
    stripe->counts = make_counts(count_size);
    if (!stripe->counts) {
        free(stripe);
        return NULL;
    }
    stripe->claim = marks;
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
    if (lt_own_stripe()) return lt_own;
    pthread_once(&exit_key_once, make_exit_key);
    if (has_exit_key) pthread_setspecific(exit_key, &exit_key);
    pthread_mutex_lock(&list_lock);
    lt_stripe *stripe = idle;
    if (stripe) idle = stripe->next_idle;
    else stripe = make_stripe();
    pthread_mutex_unlock(&list_lock);
    if (stripe) lt_own = stripe;
    return stripe;
}

static void claim_listed(void) {
    for (uint32_t attempt = 0; !try_claim_each(first); attempt++) {
        if (attempt < 50) sched_yield();
        else nanosleep(&(struct timespec){0, 20000}, NULL);
    }
}

static void release_listed(void) {
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) lt_release(stripe);
}

void lt_claim_all(void) {
    pthread_mutex_lock(&list_lock);
    claim_listed();
}

bool lt_try_claim_all(void) {
    if (pthread_mutex_trylock(&list_lock)) return false;
    if (try_claim_each(first)) return true;
    pthread_mutex_unlock(&list_lock);
    return false;
}

void lt_release_all(void) {
    release_listed();
    pthread_mutex_unlock(&list_lock);
}

// Replaces the counters of all stripes by larger copies; the caller must hold the lock.
static bool resize_counts(uint32_t size) {
    lt_count **made = calloc(stripe_count, sizeof *made);
    bool has_all = made;
    for (uint32_t i = 0; has_all && i < stripe_count; i++) has_all = (made[i] = make_counts(size));
    if (has_all) {
        claim_listed();
        uint32_t i = 0;
        for (lt_stripe *stripe = first; stripe; stripe = stripe->next, i++) {
            lt_count *old = stripe->counts;
            memcpy(made[i], old, count_size * sizeof *old);
            stripe->counts = made[i];
            made[i] = old;
        }
        release_listed();
        STORE_RELAXED(&count_size, size);
    }
    for (uint32_t i = 0; made && i < stripe_count; i++) free(made[i]);
    free(made);
    return has_all;
}

bool lt_grow_counts(uint32_t type) {
    pthread_mutex_lock(&list_lock);
    uint32_t size = count_size;
    while (size <= type) size *= 2;
    bool is_enough = size == count_size || !first || resize_counts(size);
    if (is_enough) STORE_RELAXED(&count_size, size);
    pthread_mutex_unlock(&list_lock);
    return is_enough;
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
        int64_t room = room_of(&stripe->counts[type]) + (type == SHARED_TOTAL ? ready_of(stripe) : 0);
        if (stripe != lt_own && room >= least) break;
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

// Returns the first stripe from a position on, but not the calling thread's, that seems to have a full batch of free
// records.
static lt_stripe *find_batch(lt_stripe *stripe) {
    pthread_mutex_lock(&list_lock);
    for (; stripe; stripe = stripe->next)
        if (stripe != lt_own && LOAD_RELAXED(&stripe->free_count) >= LT_FREE_BATCH) break;
    pthread_mutex_unlock(&list_lock);
    return stripe;
}

void lt_set_free_records(lt_stripe *stripe, lt_record *records, uint64_t count) {
    stripe->free = records;
    STORE_RELAXED(&stripe->free_count, count);
}

lt_record *lt_take_batch(uint64_t *count) {
    lt_stripe *stripe = lt_first_stripe();
    while ((stripe = find_batch(stripe))) {
        // Claimed only now, because a claim interrupts all running threads.
        lt_claim(stripe);
        *count = stripe->free_count;
        lt_record *taken = *count >= LT_FREE_BATCH ? stripe->free : NULL;
        if (taken) lt_set_free_records(stripe, NULL, 0);
        lt_release(stripe);
        if (taken) return taken;
        stripe = stripe->next;
    }
    return NULL;
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
        list_piece(pieces, room, &count, stripe->counts, count_size * sizeof *stripe->counts);
        list_piece(pieces, room, &count, stripe->log, stripe->log_size * sizeof *stripe->log);
    }
    lt_release_all();
    return count;
}

// Releases the stripes in a fork child, where the threads of the other stripes do not exist: those stripes become idle.
// They are consistent, because all were claimed. A thread that was entering, and had yet to see the claim, has changed
// nothing but `inside`, which it would have set back.
static void release_all_in_child(void) {
    idle = NULL;
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        if (stripe == lt_own) continue;
        STORE_RELAXED(&stripe->inside, 0);
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
