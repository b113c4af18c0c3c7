// The ids that are reserved for a thread.
//
// Ids rise with births, also across threads: a thread uses its reserved ids only while no other thread has been given
// higher ones. If several threads take turns within microseconds, that would cost a shared cache line at each birth. So
// then a thread may go on using its reserved ids until the time of births changes, at most for a step of the clock.
//
// A plain birth tells both cases by one comparison: `ids_watch` is the address of the last id that was given to anyone,
// or of the time. The time never returns to an earlier value, and the last id only when all stripes have given up their
// ids.
#pragma once
#include "birth_clock.h"

/// Returns whether a plain birth may use the next reserved id; the thread is inside the stripe.
static inline __attribute__((always_inline)) bool has_plain_id(const lt_stripe *stripe, uint64_t next_word) {
    return LIKELY(next_word <= stripe->last_word)
        && LIKELY(LOAD_RELAXED(stripe->ids_watch) == stripe->ids_seen);
}

/// Returns whether a birth at a time may use the next reserved id.
static inline __attribute__((always_inline)) bool has_id(const lt_stripe *stripe, uint64_t time) {
    return LIKELY(stripe->next_word <= stripe->last_word)
        && (time == stripe->ids_stale_at || LIKELY(LOAD_RELAXED(&lt_shared_registry.reserved) == stripe->last_id));
}

/// Prepares plain births after one that has an id.
static inline void watch_ids(lt_stripe *stripe) {
    bool is_watched_by_time = stripe->ids_stale_at != LT_NEVER;
    stripe->ids_watch = is_watched_by_time ? &lt_shared.now : &lt_shared_registry.reserved;
    stripe->ids_seen = is_watched_by_time ? stripe->ids_stale_at : stripe->last_id;
}

/// Reserves ids; returns whether the clock thread should be started.
COLD bool reserve_ids(lt_stripe *stripe, uint64_t time);
