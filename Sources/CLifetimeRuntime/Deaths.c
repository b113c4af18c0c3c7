// Deaths that need more than to be counted, and births without a record.
#include "Atomics.h"
#include <stdlib.h>

static void log_death(lt_stripe *stripe, lt_record record, lt_record *place) {
    if (stripe->log_count == stripe->log_size) {
        size_t size = stripe->log_size ? stripe->log_size * 2 : 1024;
        lt_logged_death *log = realloc(stripe->log, size * sizeof *log);
        // Without memory the snapshot lists fewer than it counts; it looks for that.
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
    lock_stripe(stripe);
    lt_record record = {LOAD_RELAXED(&place->word0), LOAD_RELAXED(&place->word1)};
    if (stripe->snapshot == registry && (record.word0 & LT_ID_MASK) <= stripe->cut) log_death(stripe, record, place);
    stripe->counts[type].room++;
    stripe->counts[registry->total].room++;
    STORE_RELAXED(&place->word0, (uint64_t)(uintptr_t)stripe->free);
    stripe->free = place;
    stripe->free_count++;
    unlock_stripe(stripe);
    return record;
}

void lt_count_unlisted(uint32_t type) {
    lt_stripe *stripe = lt_own;
    lock_stripe(stripe);
    stripe->counts[type].born++;
    unlock_stripe(stripe);
}

void lt_forget_log(lt_stripe *stripe) {
    free(stripe->log);
    stripe->log = NULL;
    stripe->log_count = stripe->log_size = 0;
}
