#ifdef __linux__
#include "Heap/runtime_layout.h"
#include "Scan/scan.h"

// The elements of arrays, dictionaries and sets.

bool rp_is_of_interest(const rp_layout *layout) {
    return layout && layout->stride > 0 && !(layout->flags & RP_LAYOUT_IS_PLAIN && layout->size < sizeof(uintptr_t));
}

void rp_scan_array(rp_place *at, const rp_layout *layout) {
    const rp_layout *element = rp_layout_at(at->frozen, layout->element);
    if (!rp_fits(at, 0, RP_ARRAY_ELEMENTS)) return;
    if (!element || element->stride == 0) {
        if (!element) rp_scan_last_words(at, RP_ARRAY_ELEMENTS);
        return;
    }
    if (!rp_is_of_interest(element)) return;
    uint64_t first = 0, count = rp_word_at(at, RP_ARRAY_COUNT);
    rp_restrict(at, &first, &count);
    uint64_t start = rp_aligned(RP_ARRAY_ELEMENTS, element->alignment) + first * element->stride;
    if (start > at->end) return;
    uint32_t offset = (uint32_t)start;
    for (at->index = (int64_t)first; (uint64_t)at->index < count && rp_fits(at, offset, element->size); at->index++) {
        at->position = (uint32_t)at->index + 1;
        rp_scan_value(at, element, offset);
        if (element->stride > at->end - offset) break;
        offset += element->stride;
    }
}

/// Returns the offset of the keys or values; `end` if they do not lie in the object.
static uint32_t offset_of_buckets(const rp_place *at, uint32_t field, uint64_t buckets, const rp_layout *layout) {
    uintptr_t start = rp_word_at(at, field);
    if (start < at->base || start - at->base > at->end) return at->end;
    uint32_t offset = (uint32_t)(start - at->base);
    return buckets <= (at->end - offset) / layout->stride + 1 ? offset : at->end;
}

void rp_scan_hash_table(rp_place *at, const rp_layout *layout) {
    bool is_dictionary = layout->tail == RP_TAIL_DICTIONARY;
    uint32_t bitmap = is_dictionary ? RP_DICTIONARY_BITMAP : RP_SET_BITMAP;
    const rp_layout *keys = rp_layout_at(at->frozen, layout->element);
    const rp_layout *values = is_dictionary ? rp_layout_at(at->frozen, layout->value) : NULL;
    if (!rp_fits(at, bitmap, sizeof(uint64_t))) return;
    uint8_t scale = (uint8_t)rp_word_at(at, RP_HASH_SCALE);
    if (scale > 40) return;
    uint64_t buckets = 1ull << scale, words = (buckets + 63) / 64;
    if (words > (at->end - bitmap) / sizeof(uint64_t)) return;
    if (!keys || (is_dictionary && !values)) {
        rp_scan_last_words(at, bitmap + (uint32_t)(words * sizeof(uint64_t)));
        return;
    }
    uint32_t key_offset = keys->stride ? offset_of_buckets(at, RP_HASH_KEYS, buckets, keys) : at->end;
    uint32_t value_offset = at->end;
    if (values && values->stride) value_offset = offset_of_buckets(at, RP_DICTIONARY_VALUES, buckets, values);
    at->key_layout = keys;
    uint64_t first = 0, end = buckets;
    rp_restrict(at, &first, &end);
    for (uint64_t word = first / 64; word * 64 < end; word++) {
        uint64_t in_use = rp_word_at(at, bitmap + (uint32_t)(word * sizeof(uint64_t)));
        if (end - word * 64 < 64) in_use &= (1ull << (end - word * 64)) - 1;
        if (first > word * 64) in_use &= ~0ull << (first - word * 64);
        for (; in_use; in_use &= in_use - 1) {
            uint64_t bucket = word * 64 + (uint64_t)__builtin_ctzll(in_use);
            at->index = (int64_t)bucket;
            at->position = (uint32_t)bucket + 1;
            uint32_t key = key_offset + (uint32_t)(bucket * keys->stride);
            at->key = key < at->end && keys->size <= at->end - key ? at->base + key : 0;
            if (at->key && rp_is_of_interest(keys)) {
                at->is_in_key = true;
                rp_scan_value(at, keys, key);
                at->is_in_key = false;
            }
            if (value_offset < at->end && rp_is_of_interest(values)) {
                rp_scan_value(at, values, value_offset + (uint32_t)(bucket * values->stride));
            }
        }
    }
}

#endif
