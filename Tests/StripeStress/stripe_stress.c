#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

// The protocol itself, with a yield at random wherever an owner could be preempted.
static bool has_yields;
static void yield_at_random(void);
#define STRIPE_ENTRY_POINT() (has_yields ? yield_at_random() : (void)0)
#include "stripe_claims.h"

#include "CLifetimeRuntime.h"
#include "StripeStress.h"
#include <pthread.h>
#include <stdlib.h>

enum { MOST_OWNERS = 64, YIELDS = 64, COLD_BYTES = 64 << 20 };

static _Thread_local uint64_t random_state;

// xorshift (Marsaglia, 2003).
static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static void yield_at_random(void) {
    if (next_random() % YIELDS == 0) sched_yield();
}

// A stripe with data that only the thread inside may access. Plain accesses, which ThreadSanitizer checks.
struct place {
    lt_stripe stripe;
    _Alignas(128) volatile uint64_t changes;
    volatile bool is_used;
};

struct arena {
    struct place places[MOST_OWNERS];
    struct stripe_stress plan;
    uint64_t meetings, visits, claims;
    int running_claimers;
    bool is_over;
    // Larger than the caches; only in a plan that ends early.
    volatile char *cold_memory;
};

struct worker {
    pthread_t thread;
    struct arena *arena;
    int number;
};

static void note_meeting(struct arena *arena) {
    __atomic_add_fetch(&arena->meetings, 1, __ATOMIC_RELAXED);
    if (arena->plan.ends_early) __atomic_store_n(&arena->is_over, true, __ATOMIC_RELAXED);
}

// Uses a stripe, and stays in it for a number of pauses.
static void use(struct arena *arena, struct place *place, int pauses) {
    if (place->is_used) note_meeting(arena);
    place->is_used = true;
    uint64_t changes = place->changes + 1;
    place->changes = changes;
    for (int i = 0; i < pauses; i++) PAUSE();
    if (place->changes != changes) note_meeting(arena);
    place->is_used = false;
}

// Without a fence, the store that announces an owner waits for these stores, each of which misses the caches.
static void delay_next_store(const struct arena *arena) {
    enum { STORES = 16 };
    for (int i = 0; arena->cold_memory && i < STORES; i++) arena->cold_memory[next_random() % COLD_BYTES] = 1;
}

// Two threads that share a processor hardly ever meet in a stripe without yields. On a busy machine, the kernel may
// leave them on one processor for minutes, so a plan that ends early gives the owners one and the claimers another.
static void stay_on_processor(const struct arena *arena, int number) {
    cpu_set_t allowed, one;
    if (!arena->plan.ends_early || sched_getaffinity(0, sizeof allowed, &allowed)) return;
    number %= CPU_COUNT(&allowed);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &allowed) && number-- == 0) CPU_SET(i, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
}

static void yield(const struct arena *arena) {
    // A plan that ends early needs both threads running.
    if (!arena->plan.ends_early) sched_yield();
}

int stripe_stress_processors(void) {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) ? 1 : CPU_COUNT(&allowed);
}

static bool is_over(struct arena *arena) { return __atomic_load_n(&arena->is_over, __ATOMIC_RELAXED); }

static void *own(void *argument) {
    struct worker *worker = argument;
    struct place *place = &worker->arena->places[worker->number];
    stay_on_processor(worker->arena, 0);
    random_state = 0x9E3779B97F4A7C15ull * (uint64_t)(worker->number + 1);
    uint64_t visits = 0;
    // Where a meeting is wanted, owners stay longer than it takes to claim a stripe, but not so long that claims sleep.
    int pauses = worker->arena->plan.ends_early ? 10 : 0;
    while (!is_over(worker->arena)) {
        delay_next_store(worker->arena);
        enter_stripe(&place->stripe);
        use(worker->arena, place, pauses);
        leave_stripe(&place->stripe);
        // A claim of all stripes must find all owners outside, also those that are not running.
        if (++visits % YIELDS == 0) yield(worker->arena);
    }
    __atomic_add_fetch(&worker->arena->visits, visits, __ATOMIC_RELAXED);
    return NULL;
}

static void *claim(void *argument) {
    struct worker *worker = argument;
    struct arena *arena = worker->arena;
    int owners = arena->plan.owners;
    stay_on_processor(arena, 1);
    random_state = ~0x9E3779B97F4A7C15ull * (uint64_t)(worker->number + 1);
    uint64_t claims = 0;
    for (uint64_t round = 0; round < arena->plan.rounds && !is_over(arena); round++) {
        struct place *single = &arena->places[next_random() % owners];
        lt_claim(&single->stripe);
        use(arena, single, 0);
        lt_release(&single->stripe);
        while (!try_claim_each(&arena->places[0].stripe)) yield(arena);
        for (int i = 0; i < owners; i++) use(arena, &arena->places[i], 0);
        STRIPE_ENTRY_POINT();
        for (int i = 0; i < owners; i++) lt_release(&arena->places[i].stripe);
        claims += 1 + owners;
    }
    __atomic_add_fetch(&arena->claims, claims, __ATOMIC_RELAXED);
    if (!__atomic_sub_fetch(&arena->running_claimers, 1, __ATOMIC_RELAXED))
        __atomic_store_n(&arena->is_over, true, __ATOMIC_RELAXED);
    return NULL;
}

struct stripe_stress_outcome stripe_stress_run(struct stripe_stress plan) {
    if (plan.owners < 1 || plan.owners > MOST_OWNERS || plan.claimers < 1 || plan.claimers > MOST_OWNERS) abort();
    struct arena *arena = aligned_alloc(128, sizeof *arena);
    struct worker workers[2 * MOST_OWNERS];
    if (!arena) abort();
    has_yields = plan.has_yields;
    *arena = (struct arena){.plan = plan, .running_claimers = plan.claimers};
    if (plan.ends_early && !(arena->cold_memory = malloc(COLD_BYTES))) abort();
    for (int i = 0; i < plan.owners; i++) {
        lt_stripe *stripe = &arena->places[i].stripe;
        stripe->next = i + 1 < plan.owners ? &arena->places[i + 1].stripe : NULL;
        adopt_form(stripe);
    }
    for (int i = 0; i < plan.owners + plan.claimers; i++) {
        bool owns = i < plan.owners;
        workers[i] = (struct worker){.arena = arena, .number = owns ? i : i - plan.owners};
        if (pthread_create(&workers[i].thread, NULL, owns ? own : claim, &workers[i])) abort();
    }
    for (int i = 0; i < plan.owners + plan.claimers; i++) pthread_join(workers[i].thread, NULL);
    uint64_t changes = 0;
    for (int i = 0; i < plan.owners; i++) changes += arena->places[i].changes;
    struct stripe_stress_outcome outcome = {
        arena->meetings, arena->visits + arena->claims - changes, arena->visits, arena->claims};
    free((void *)arena->cold_memory);
    free(arena);
    return outcome;
}
