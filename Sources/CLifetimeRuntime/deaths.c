// Deaths, and births without a record.
#include "stripe_entry.h"
#include <stdlib.h>

// Records a death while the thread is inside the stripe; returns false, without having done anything, if the death
// needs more than counting.
static inline __attribute__((always_inline)) bool plain_death(lt_stripe *stripe, lt_handle handle) {
    lt_record *place = lt_place(handle);
    uint32_t type = handle & LT_TYPE_MASK;
    // Loaded after entering, in an order that all threads agree on: see lt_settle.
    uint64_t word0 = __atomic_load_n(&place->word0, __ATOMIC_SEQ_CST);
    if (UNLIKELY(
            word0 - stripe->plain >= stripe->plain_span || type >= stripe->count_size
            || stripe->free_count >= LT_FREE_BATCH - 1))
        return false;
    lt_count *counts = stripe->counts;
    lt_record *free = stripe->free;
    change_spare_room(&counts[type], 1);
    change_spare_room(&counts[LT_FIRST_TYPE], 1);
    STORE_RELAXED(&place->word0, (uint64_t)(uintptr_t)free);
    stripe->free = place;
    stripe->free_count++;
    return true;
}

// Records a death that needs more than counting, or a wait for another thread's claim.
static __attribute__((noinline)) void death_after_lack(lt_handle handle, lt_death_completion complete) {
    lt_stripe *stripe = lt_own;
    if (!stripe) return complete(handle);
    enter_stripe(stripe);
    bool is_recorded = plain_death(stripe, handle);
    leave_stripe(stripe);
    if (!is_recorded) complete(handle);
}

void lt_listed_death(lt_handle handle, lt_death_completion complete) {
    // The record may be in another core's cache or in none, so it is prefetched while the stripe is entered.
    __builtin_prefetch(lt_place(handle), 1);
    lt_stripe *stripe = lt_own;
    if (LIKELY(stripe)) {
        bool is_recorded = enter_plainly(stripe) && plain_death(stripe, handle);
        leave_stripe(stripe);
        if (LIKELY(is_recorded)) return;
    }
    death_after_lack(handle, complete);
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
    uint32_t type = handle & LT_TYPE_MASK;
    const lt_registry *registry = lt_type_at(type).registry;
    enter_stripe(stripe);
    lt_record record = {__atomic_load_n(&place->word0, __ATOMIC_SEQ_CST), LOAD_RELAXED(&place->word1)};
    uint64_t id = record.word0 & LT_ID_MASK;
    bool is_in_snapshot = stripe->snapshot == registry && id <= stripe->cut;
    if (is_in_snapshot) log_death(stripe, record, place);
    change_spare_room(&stripe->counts[type], 1);
    change_spare_room(&stripe->counts[registry->total], 1);
    STORE_RELAXED(&place->word0, (uint64_t)(uintptr_t)stripe->free);
    stripe->free = place;
    stripe->free_count++;
    // An instance that a snapshot of the shared registry has listed counts as noted.
    if (is_in_snapshot || id < (stripe->plain & LT_ID_MASK)) record.word0 |= LT_NOTED;
    leave_stripe(stripe);
    return record;
}

void lt_count_unlisted(uint32_t type) {
    lt_stripe *stripe = lt_own;
    enter_stripe(stripe);
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
