// Deaths, and births without a record.
#include "clock.h"
#include "death_ring.h"
#include "ready.h"
#include <stdlib.h>

// Records a death while the thread is inside the stripe; returns false, without having done anything, if the death
// needs more than counting.
static inline __attribute__((always_inline)) bool plain_death(lt_stripe *stripe, lt_handle handle) {
    lt_record *place = lt_place(handle);
    // Loaded after entering, in an order that all threads agree on: see lt_settle.
    uint64_t word0 = __atomic_load_n(&place->word0, __ATOMIC_SEQ_CST);
    if (UNLIKELY(word0 - stripe->plain >= stripe->plain_span) || UNLIKELY(!earn_ready(stripe))) return false;
    // Safe: this is the offset of the type's counters. All stripes have had them since before the type's first birth.
    lt_count *count = (lt_count *)((char *)stripe->counts + (handle & LT_TYPE_MASK) * sizeof(lt_count));
    change_spare_room(count, 1);
    STORE_RELAXED(&place->word0, (uint64_t)(uintptr_t)stripe->free);
    stripe->free = place;
    return true;
}

// Counts the death of a listed instance, and frees its record.
static inline void bury(lt_stripe *stripe, lt_handle handle, const lt_registry *registry) {
    lt_record *place = lt_place(handle);
    change_spare_room(&stripe->counts[handle & LT_TYPE_MASK], 1);
    change_spare_room(&stripe->counts[registry->total], 1);
    STORE_RELAXED(&place->word0, (uint64_t)(uintptr_t)stripe->free);
    stripe->free = place;
    change_free_count(stripe, 1);
}

// Records a death in a scoped registry in the usual case; returns false, without having done anything, in any other:
// with a clock of the registry's own, of a watched instance, during a snapshot, and if records must be set aside.
static COLD bool scoped_death(lt_stripe *stripe, lt_handle handle, lt_type type) {
    lt_registry *registry = type.registry;
    if (registry->has_own_clock) return false;
    uint64_t died_at = read_ticks() >> TIME_SHIFT;
    enter_settled(stripe);
    const lt_record *place = lt_place(handle);
    uint64_t word0 = __atomic_load_n(&place->word0, __ATOMIC_SEQ_CST);
    if (!(word0 & LT_LIVE) || word0 & LT_WATCHED || stripe->snapshot || stripe->free_count >= LT_FREE_BATCH - 1) {
        leave_stripe(stripe);
        return false;
    }
    uint64_t born_at = LOAD_RELAXED(&place->word1) >> LT_CONTEXT_BITS;
    bury(stripe, handle, registry);
    remember_death(registry, (lt_death_entry){word0 & LT_ID_MASK, type.position, born_at, died_at});
    leave_stripe(stripe);
    if (lt_remove_holder(registry)) registry->release(registry->owner);
    return true;
}

// Records a death after a wait for another thread's claim, or when the plain case has found a limit; returns false if
// the death needs more than counting.
static COLD bool full_death(lt_handle handle) {
    lt_stripe *stripe = lt_own_stripe();
    if (!stripe) return false;
    lt_type type = lt_type_at(handle & LT_TYPE_MASK);
    if (type.registry->is_scoped) return scoped_death(stripe, handle, type);
    if (LOAD_RELAXED(&lt_place(handle)->word0) & LT_WATCHED) return false;
    enter_stripe(stripe);
    bool is_recorded = plain_death(stripe, handle);
    if (!is_recorded && ready_of(stripe) == READY_LIMIT) {
        settle_ready(stripe);
        is_recorded = stripe->free_count < LT_FREE_BATCH - 1 && plain_death(stripe, handle);
    }
    leave_stripe(stripe);
    return is_recorded;
}

void lt_listed_death(lt_handle handle, lt_death_completion complete) {
    // The record may be in another core's cache or in none, so it is prefetched while the stripe is entered.
    __builtin_prefetch(lt_place(handle), 1);
    lt_stripe *stripe = lt_own;
    if (LIKELY(enter_unless(stripe, LT_NO_PLAIN_ENTRY)) && LIKELY(plain_death(stripe, handle))) {
        leave_stripe(stripe);
        return;
    }
    leave_stripe(stripe);
    if (!full_death(handle)) complete(handle);
}

static void log_death(lt_stripe *stripe, lt_record record, lt_record *place) {
    if (stripe->log_count == stripe->log_size) {
        size_t size = stripe->log_size ? stripe->log_size * 2 : 1024;
        lt_logged_death *log = realloc(stripe->log, size * sizeof *log);
        // If memory is short, the snapshot lists fewer instances than it counts.
        if (!log) return;
        stripe->log = log;
        stripe->log_size = size;
    }
    stripe->log[stripe->log_count++] = (lt_logged_death){record, place};
}

lt_record lt_death_in(lt_handle handle) {
    lt_stripe *stripe = lt_own;
    lt_record *place = lt_place(handle);
    const lt_registry *registry = lt_type_at(handle & LT_TYPE_MASK).registry;
    enter_settled(stripe);
    lt_record record = {__atomic_load_n(&place->word0, __ATOMIC_SEQ_CST), LOAD_RELAXED(&place->word1)};
    uint64_t id = record.word0 & LT_ID_MASK;
    bool is_in_snapshot = stripe->snapshot == registry && id <= stripe->cut;
    if (is_in_snapshot) log_death(stripe, record, place);
    bury(stripe, handle, registry);
    // An instance that a snapshot of the shared registry has listed counts as noted.
    if (is_in_snapshot || id < (stripe->plain & LT_ID_MASK)) record.word0 |= LT_NOTED;
    leave_stripe(stripe);
    return record;
}

void lt_count_unlisted(uint32_t type) {
    lt_stripe *stripe = lt_own;
    enter_settled(stripe);
    stripe->counts[type].born++;
    leave_stripe(stripe);
}

lt_death_log lt_take_log(lt_stripe *stripe) {
    lt_death_log log = {stripe->log, stripe->log_count};
    stripe->log = NULL;
    stripe->log_count = stripe->log_size = 0;
    return log;
}

void lt_free_log(lt_death_log log) { free(log.deaths); }
