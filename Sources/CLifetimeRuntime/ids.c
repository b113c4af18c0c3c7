// Reserves ids; see ids.h.
#include "ids.h"

COLD bool reserve_ids(lt_stripe *stripe, uint64_t time) {
    enum { LONGEST_BLOCK = 1024, CONTENDED = 8 * 64, SOON = 1 << 10 };
    lt_registry *registry = &lt_shared_registry;
    uint64_t ticks = read_ticks();
    bool others_were_here = LOAD_RELAXED(&registry->reserved) != stripe->last_id;
    // Threads that hand objects to each other between births take longer than the 400 ns (at 2.5 GHz) of "soon".
    uint64_t births = stripe->ids_block - (stripe->last_word + 1 - stripe->next_word);
    bool is_soon = ticks - stripe->ids_reserved_at < (births + 1) * SOON;
    if (!is_soon) stripe->ids_contended = 0;
    else if (others_were_here) stripe->ids_contended += stripe->ids_contended < 2 * CONTENDED ? 8 : 0;
    // One round without other threads says little, because they may be using up their reserved ids.
    else stripe->ids_contended -= stripe->ids_contended > 0;
    bool is_contended = stripe->ids_contended >= CONTENDED;
    if (is_contended) stripe->ids_block = LONGEST_BLOCK;
    else if (others_were_here || !stripe->ids_block) stripe->ids_block = 1;
    else if (stripe->ids_block < LONGEST_BLOCK) stripe->ids_block *= 2;
    stripe->last_id = __atomic_add_fetch(&registry->reserved, stripe->ids_block, __ATOMIC_RELAXED);
    stripe->last_word = LT_LIVE | stripe->last_id;
    stripe->next_word = stripe->last_word - stripe->ids_block + 1;
    stripe->ids_reserved_at = ticks;
    stripe->ids_stale_at = is_contended ? time : LT_NEVER;
    watch_ids(stripe);
    lt_refresh_time(ticks >> TIME_SHIFT);
    return note_births(stripe, births, ticks);
}

void lt_return_ids(lt_stripe *stripe) {
    lt_registry *registry = &lt_shared_registry;
    uint64_t unused = stripe->last_word + 1 - stripe->next_word;
    if (unused && LOAD_RELAXED(&registry->reserved) == stripe->last_id)
        STORE_RELAXED(&registry->reserved, stripe->last_id - unused);
    stripe->next_word = stripe->last_word + 1;
}
