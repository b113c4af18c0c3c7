// Tells handles of live instances from other words.
#include "contexts.h"

// Chunks by their addresses / 256 KiB: an open-addressed table that is read without a lock, because slots are only ever
// filled. Neighbouring chunks have neighbouring slots, so few pages of the table are in memory.
enum { SLOTS = 1 << 14, MOST_CHUNKS = SLOTS / 2, CHUNK_SHIFT = 18, ADDRESS_BITS = 48 };
_Static_assert(LT_CHUNK_BYTES == 1 << CHUNK_SHIFT, "the slots are those of whole chunks");
static uint32_t chunks[SLOTS];

bool lt_add_chunk(const lt_record *chunk) {
    static uint32_t count;
    if (count == MOST_CHUNKS || (uintptr_t)chunk >> ADDRESS_BITS) return false;
    uint32_t number = (uint32_t)((uintptr_t)chunk >> CHUNK_SHIFT), slot = number;
    while (chunks[slot % SLOTS]) slot++;
    STORE_RELEASE(&chunks[slot % SLOTS], number);
    count++;
    return true;
}

bool lt_is_record(const lt_record *place) {
    if ((uintptr_t)place >> ADDRESS_BITS) return false;
    uint32_t number = (uint32_t)((uintptr_t)place >> CHUNK_SHIFT);
    for (uint32_t slot = number;; slot++) {
        uint32_t other = LOAD_ACQUIRE(&chunks[slot % SLOTS]);
        if (LIKELY(other == number)) return number != 0;
        if (!other) return false;
    }
}

static COLD bool is_unlisted(lt_handle handle) {
    uint64_t payload = handle >> LT_PAYLOAD_SHIFT;
    uint32_t type = handle & LT_TYPE_MASK;
    if (type == LT_NO_TYPE) return payload < lt_untraced_end();
    return lt_type_at(type).registry == &lt_shared_registry && payload <= lt_last_id(&lt_shared_registry);
}

bool lt_is_handle(lt_handle handle) {
    if (UNLIKELY(handle & LT_UNLISTED)) return is_unlisted(handle);
    const lt_record *place = lt_place(handle);
    if (UNLIKELY(!lt_is_record(place)) || UNLIKELY(!(LOAD_ACQUIRE(&place->word0) & LT_LIVE))) return false;
    uint32_t context = LOAD_RELAXED(&place->word1) & ((1u << LT_CONTEXT_BITS) - 1);
    return LIKELY(lt_context_at(context)->type == (handle & LT_TYPE_MASK));
}
