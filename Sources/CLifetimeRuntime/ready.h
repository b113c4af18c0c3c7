// Births that are ready: how the plain case checks and counts three things at once.
//
// A birth needs a free record and room in the total of its registry, and a death adds one of each. So a stripe sets the
// same amount of both apart in one word, `ready`. It falls with births and rises with deaths, and its unit is chosen so
// that the processor's carry tells both ends: below 0 births, and above 1023, where the free records must be counted.
// At all times
//
//     free records = free_count + ready        room in the shared total = floor + spare + ready
//
// Everything but the births and deaths that use `ready` sees it at 0: an owner that enters with `enter_settled`, and a
// thread that claims a stripe, first give the amount back. Only `find_room` and
// `find_batch` look at a stripe without a claim.
#pragma once
#include "stripe_entry.h"

enum {
    SHARED_TOTAL = LT_FIRST_TYPE,
    /// The births that the word can hold.
    READY_LIMIT = UINT32_MAX / LT_READY,
    /// The births that are set apart at most: half of what the word holds.
    MOST_READY = 512,
};

// Adds to a word of the calling thread's own stripe, or subtracts from it; returns false, without a change, if the
// result would not fit. Other threads may load the word meanwhile, so it is accessed as by relaxed atomics. C has no
// relaxed store that also yields the carry.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
// Safe: an instruction that adds to an aligned word in memory loads and stores it once each.
#define CHANGE_UNLESS_CARRY(operation, opposite, word, amount) \
    bool carries; \
    __asm__ volatile(operation " %2, %0" : "+m"(*word), "=@ccc"(carries) : "er"(amount)); \
    if (LIKELY(!carries)) return true; \
    __asm__ volatile(opposite " %1, %0" : "+m"(*word) : "er"(amount) : "cc"); \
    return false

static inline __attribute__((always_inline)) bool spend_room(lt_count *count) {
    CHANGE_UNLESS_CARRY("subq", "addq", &count->spare, (int64_t)1);
}
static inline __attribute__((always_inline)) bool spend_ready(lt_stripe *stripe) {
    CHANGE_UNLESS_CARRY("subl", "addl", &stripe->ready, LT_READY);
}
static inline __attribute__((always_inline)) bool earn_ready(lt_stripe *stripe) {
    CHANGE_UNLESS_CARRY("addl", "subl", &stripe->ready, LT_READY);
}
#undef CHANGE_UNLESS_CARRY
#else
static inline bool spend_room(lt_count *count) {
    int64_t spare = LOAD_RELAXED(&count->spare);
    if (spare) STORE_RELAXED(&count->spare, spare - 1);
    return spare;
}
static inline bool spend_ready(lt_stripe *stripe) {
    uint32_t ready = LOAD_RELAXED(&stripe->ready);
    if (ready) STORE_RELAXED(&stripe->ready, ready - LT_READY);
    return ready;
}
static inline bool earn_ready(lt_stripe *stripe) {
    uint32_t ready = LOAD_RELAXED(&stripe->ready) + LT_READY;
    if (ready) STORE_RELAXED(&stripe->ready, ready);
    return ready;
}
#endif

/// Returns the births that are ready; also without a claim.
static inline int64_t ready_of(const lt_stripe *stripe) { return LOAD_RELAXED(&stripe->ready) / LT_READY; }

/// Changes the number of free records beside the ready ones. `find_batch` loads it without a claim.
static inline void change_free_count(lt_stripe *stripe, int64_t change) {
    STORE_RELAXED(&stripe->free_count, stripe->free_count + (uint64_t)change);
}

/// Sets births apart, as many as the stripe has records and room for.
static inline void make_ready(lt_stripe *stripe) {
    lt_count *total = &stripe->counts[SHARED_TOTAL];
    int64_t count = LOAD_RELAXED(&total->spare);
    if (count > (int64_t)stripe->free_count) count = (int64_t)stripe->free_count;
    if (count > MOST_READY) count = MOST_READY;
    change_spare_room(total, -count);
    change_free_count(stripe, -count);
    STORE_RELAXED(&stripe->ready, (uint32_t)count * LT_READY);
}

/// Gives back what is ready. The caller must have entered or claimed the stripe.
static inline void settle_ready(lt_stripe *stripe) {
    int64_t count = ready_of(stripe);
    if (!count) return;
    STORE_RELAXED(&stripe->ready, 0);
    change_free_count(stripe, count);
    change_spare_room(&stripe->counts[SHARED_TOTAL], count);
}

/// Enters the calling thread's own stripe for anything but a plain birth or death.
static inline void enter_settled(lt_stripe *stripe) {
    enter_stripe(stripe);
    settle_ready(stripe);
}
