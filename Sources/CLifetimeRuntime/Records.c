// Reading, flagging and copying records while other threads write them.
//
// A record is written as in a sequence lock: word0 stops being live, word1 changes, word0 becomes live with another id. A reader
// that finds the same live word0 before and after word1 has a whole record.
#include "Atomics.h"

bool lt_read_record(const lt_record *place, lt_record *record) {
    for (;;) {
        uint64_t word0 = LOAD_ACQUIRE(&place->word0);
        if (!(word0 & LT_LIVE)) return false;
        record->word1 = LOAD_ACQUIRE(&place->word1);
        record->word0 = LOAD_ACQUIRE(&place->word0);
        // A flag may have been set meanwhile.
        if (!((word0 ^ record->word0) & (LT_LIVE | LT_ID_MASK))) return true;
    }
}

static bool is_of(const lt_record *record, const lt_registry *registry) {
    return lt_context_at(record->word1 & ((1u << LT_CONTEXT_BITS) - 1))->registry == registry;
}

bool lt_flag_record(lt_record *place, const lt_registry *registry, uint64_t id, uint64_t flags) {
    lt_record record;
    while (lt_read_record(place, &record)) {
        if ((record.word0 & LT_ID_MASK) != id || !is_of(&record, registry)) return false;
        if ((record.word0 & flags) == flags) return true;
        uint64_t expected = record.word0;
        if (__atomic_compare_exchange_n(
                &place->word0, &expected, expected | flags, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return true;
    }
    return false;
}

void lt_link_record(lt_record *place, lt_record *next) { STORE_RELAXED(&place->word0, (uint64_t)(uintptr_t)next); }

lt_record *lt_next_free(const lt_record *place) { return (lt_record *)(uintptr_t)LOAD_RELAXED(&place->word0); }

size_t lt_copy_chunk(
    const lt_record *chunk, const lt_registry *registry, uint64_t cut, lt_record *output, size_t room, uint64_t *copied
) {
    size_t count = 0;
    for (uint32_t slot = 0; slot < LT_CHUNK_RECORDS; slot++) {
        const lt_record *place = chunk + slot;
        uint64_t word0 = LOAD_ACQUIRE(&place->word0);
        if (!(word0 & LT_LIVE) || (word0 & LT_ID_MASK) > cut) continue;
        lt_record record;
        // One that changes meanwhile died after the cut, so it is in a log.
        if (!lt_read_record(place, &record) || (record.word0 & LT_ID_MASK) > cut) continue;
        const lt_context *context = lt_context_at(record.word1 & ((1u << LT_CONTEXT_BITS) - 1));
        if (context->registry != registry) continue;
        if (count == room) break;
        output[count++] = record;
        copied[slot / 64] |= 1ull << (slot % 64);
    }
    return count;
}

lt_record *lt_find_record(lt_record *chunk, const lt_registry *registry, uint64_t id) {
    for (uint32_t slot = 0; slot < LT_CHUNK_RECORDS; slot++) {
        uint64_t word0 = LOAD_RELAXED(&chunk[slot].word0);
        if (!(word0 & LT_LIVE) || (word0 & LT_ID_MASK) != id) continue;
        lt_record record;
        if (lt_read_record(chunk + slot, &record) && (record.word0 & LT_ID_MASK) == id && is_of(&record, registry))
            return chunk + slot;
    }
    return NULL;
}
