// Reads, flags and copies records while other threads write them.
//
// A record is written as in a sequence lock: word0 stops being live, word1 changes, word0 becomes live with another id.
// A reader that finds the same live word0 before and after word1 has read a consistent record.
#include "atomics.h"

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

bool lt_read_record_of(const lt_record *place, const lt_registry *registry, lt_record *record) {
    for (;;) {
        if (!lt_read_record(place, record)) return false;
        const lt_context *context = lt_context_at(record->word1 & ((1u << LT_CONTEXT_BITS) - 1));
        bool is_of_registry = LOAD_ACQUIRE(&context->registry) == registry;
        // The registry lives as long as the instance. If both are gone, the context may belong to another registry by
        // now.
        uint64_t word0 = LOAD_ACQUIRE(&place->word0);
        if (!((word0 ^ record->word0) & (LT_LIVE | LT_ID_MASK))) return is_of_registry;
    }
}

bool lt_flag_record(lt_record *place, const lt_registry *registry, uint64_t id, uint64_t flags) {
    lt_record record;
    while (lt_read_record_of(place, registry, &record)) {
        if ((record.word0 & LT_ID_MASK) != id) return false;
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

// The number of slots that are copied at a time, so that their bits are collected in a register.
enum { COPIED_AT_ONCE = 64 };

// Copies the records of instances of the shared registry up to an id, and sets their bits. There are no branches, which
// would cost more than the copy, so the word behind the last copied record is written, too.
static inline size_t copy_shared(const lt_record *places, uint64_t cut, lt_record *output, uint64_t *copied) {
    const uint64_t key_bits = LT_LIVE | LT_SCOPED | LT_ID_MASK;
    size_t count = 0;
    uint64_t bits = 0;
    for (uint32_t slot = 0; slot < COPIED_AT_ONCE; slot++) {
        // The processor itself fetches memory ahead only within a page, and the memory for the copy only when it is
        // written.
        __builtin_prefetch(places + slot + 4 * COPIED_AT_ONCE);
        __builtin_prefetch(output + slot + 2 * COPIED_AT_ONCE, 1);
        uint64_t key = LOAD_ACQUIRE(&places[slot].word0) & key_bits;
        lt_record record;
        record.word1 = LOAD_ACQUIRE(&places[slot].word1);
        record.word0 = LOAD_ACQUIRE(&places[slot].word0);
        // An instance whose record changes meanwhile died after the cut, so it is in a log. A record that is not live,
        // or not of the shared registry, is farther from the bound than any id.
        bool is_listed = (key - LT_LIVE <= cut) & ((record.word0 & key_bits) == key);
        output[count] = record;
        count += is_listed;
        bits |= (uint64_t)is_listed << slot;
    }
    *copied = bits;
    return count;
}

// Reads a record of a registry. A flag tells records of the shared registry, which saves a look at the context.
static inline bool read_record_to_copy(
    const lt_record *place, const lt_registry *registry, bool is_shared, lt_record *record
) {
    if (!is_shared) return lt_read_record_of(place, registry, record);
    return lt_read_record(place, record) && !(record->word0 & LT_SCOPED);
}

// Copies at most `room` records of instances of a registry up to an id, and sets their bits.
static size_t copy_some(
    const lt_record *places, const lt_registry *registry, uint64_t cut, lt_record *output, size_t room, uint64_t *copied
) {
    size_t count = 0;
    uint64_t bits = 0;
    bool is_shared = registry == lt_shared_core();
    for (uint32_t slot = 0; slot < COPIED_AT_ONCE && count < room; slot++) {
        uint64_t word0 = LOAD_ACQUIRE(&places[slot].word0);
        if (!(word0 & LT_LIVE) || (word0 & LT_ID_MASK) > cut) continue;
        lt_record record;
        if (!read_record_to_copy(places + slot, registry, is_shared, &record)) continue;
        if ((record.word0 & LT_ID_MASK) > cut) continue;
        output[count++] = record;
        bits |= 1ull << slot;
    }
    *copied = bits;
    return count;
}

size_t lt_copy_chunk(
    const lt_record *chunk, const lt_registry *registry, uint64_t cut, lt_record *output, size_t room, uint64_t *copied
) {
    size_t count = 0;
    bool is_shared = registry == lt_shared_core();
    // Once all instances of the cut have been found, the other records are not read.
    for (uint32_t first = 0; first < LT_CHUNK_RECORDS && count < room; first += COPIED_AT_ONCE) {
        uint64_t *bits = copied + first / COPIED_AT_ONCE;
        if (is_shared && room - count > COPIED_AT_ONCE) {
            count += copy_shared(chunk + first, cut, output + count, bits);
        } else {
            count += copy_some(chunk + first, registry, cut, output + count, room - count, bits);
        }
    }
    return count;
}

// Ids of live instances as a range of flag and id, which are compared at once.
typedef struct key_range {
    uint64_t first;
    uint64_t span;
} key_range;

static inline uint64_t key_of(const lt_record *place) {
    return LOAD_ACQUIRE(&place->word0) & (LT_LIVE | LT_ID_MASK);
}

// No key equals the bound of an empty range, which has another flag.
static inline key_range range_of_ids(uint64_t first, uint64_t last) {
    return first <= last ? (key_range){LT_LIVE | first, last - first} : (key_range){LT_SCOPED, 0};
}

static inline bool contains(key_range range, uint64_t key) { return key - range.first <= range.span; }

// Whether the key of any of eight records is in a range: the least distance from its bound tells, without a branch.
static inline bool any_of_eight(const lt_record *places, key_range range) {
    uint64_t nearest = UINT64_MAX;
    for (uint32_t slot = 0; slot < 8; slot++) {
        uint64_t distance = key_of(places + slot) - range.first;
        if (distance < nearest) nearest = distance;
    }
    return nearest <= range.span;
}

// Returns a range with the ids of both ranges of a search. They touch, so it has few others.
static key_range range_of_both(const lt_range_search *search) {
    if (search->first > search->last) return range_of_ids(search->first_counted, search->last_counted);
    if (search->first_counted > search->last_counted) return range_of_ids(search->first, search->last);
    uint64_t first = search->first < search->first_counted ? search->first : search->first_counted;
    return range_of_ids(first, search->last > search->last_counted ? search->last : search->last_counted);
}

uint32_t lt_search_range(
    const lt_record *chunk, uint32_t slot, uint32_t end, const lt_registry *registry, lt_range_search *search
) {
    bool is_shared = registry == lt_shared_core();
    key_range wanted = range_of_ids(search->first, search->last), both = range_of_both(search);
    key_range counted = range_of_ids(search->first_counted, search->last_counted);
    size_t room = search->room;
    while (slot < end && search->count < room) {
        // Most records are in neither range, so eight are looked at for one branch.
        uint32_t next = slot + 8;
        if (next <= end && !any_of_eight(chunk + slot, both)) {
            slot = next;
            continue;
        }
        for (; slot < end && slot < next && search->count < room; slot++) {
            uint64_t key = key_of(chunk + slot);
            bool is_wanted = contains(wanted, key);
            if (!is_wanted && !contains(counted, key)) continue;
            lt_record record;
            if (!read_record_to_copy(chunk + slot, registry, is_shared, &record)) continue;
            // Another instance uses the record now; it was born after the cut.
            if ((record.word0 & LT_ID_MASK) != (key & LT_ID_MASK)) continue;
            if (is_wanted) search->output[search->count++] = record;
            else search->counted++;
        }
    }
    return slot;
}

void lt_find_oldest(
    const lt_record *chunk, uint32_t end, const lt_registry *registry, lt_oldest *oldest, size_t type_count
) {
    bool is_shared = registry == lt_shared_core();
    for (uint32_t slot = 0; slot < end; slot++) {
        lt_record record;
        if (!read_record_to_copy(chunk + slot, registry, is_shared, &record)) continue;
        const lt_context *context = lt_context_at(record.word1 & ((1u << LT_CONTEXT_BITS) - 1));
        uint32_t position = lt_type_at(context->type).position;
        // A type that is younger than the caller's list.
        if (position >= type_count) continue;
        uint64_t time = record.word1 >> LT_CONTEXT_BITS;
        if (oldest[position].place && oldest[position].time <= time) continue;
        oldest[position] = (lt_oldest){time, record.word0 & LT_ID_MASK, chunk + slot};
    }
}

lt_record *lt_find_record(lt_record *chunk, const lt_registry *registry, uint64_t id) {
    for (uint32_t slot = 0; slot < LT_CHUNK_RECORDS; slot++) {
        uint64_t word0 = LOAD_RELAXED(&chunk[slot].word0);
        if (!(word0 & LT_LIVE) || (word0 & LT_ID_MASK) != id) continue;
        lt_record record;
        if (lt_read_record_of(chunk + slot, registry, &record) && (record.word0 & LT_ID_MASK) == id)
            return chunk + slot;
    }
    return NULL;
}
