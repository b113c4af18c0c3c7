// Deaths that need more than counting, and births without a record.
#include "stripe_entry.h"
#include <stdlib.h>

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
    change_room(&stripe->counts[type], 1);
    change_room(&stripe->counts[registry->total], 1);
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
