// Judges classes, and remembers the judgements.
#include "class_table.h"
#include "class_kinds.h"

#if defined(__linux__)
#include <stdlib.h>

// One slot that stays empty, so that the hooks need not check for a table.
static struct {
    uint32_t mask, count;
    uintptr_t slots[1];
} empty_table;
lt_class_table *lt_classes = (lt_class_table *)&empty_table;

enum { FIRST_SIZE = 1024, MOST_CLASSES = 1 << 20 };

lt_tracing lt_judge_class(const lt_class *metadata, const lt_images *images) {
    const uint32_t *descriptor = metadata->descriptor;
    if ((uintptr_t)metadata & LT_TRACING_BITS || !descriptor || !lt_is_in_images(images, descriptor)) {
        return LT_FOREIGN_CLASS;
    }
    if ((*descriptor & LT_DESCRIPTOR_KIND_BITS) != LT_DESCRIPTOR_KIND_CLASS) return LT_FOREIGN_CLASS;
    if (images->includes_own && lt_records_itself(metadata)) return LT_FOREIGN_CLASS;
    const bool is_large = metadata->instance_size > LT_LARGEST_WITH_TRAILER;
    return is_large || lt_is_buffer(metadata) ? LT_IN_TABLE : LT_WITH_TRAILER;
}

static void fill(lt_class_table *table, uintptr_t word) {
    uint32_t slot = lt_slot_of_class((const lt_class *)(word & ~(uintptr_t)LT_TRACING_BITS));
    while (table->slots[slot & table->mask]) slot++;
    __atomic_store_n(&table->slots[slot & table->mask], word, __ATOMIC_RELEASE);
    table->count++;
}

static lt_class_table *make_table(uint32_t size) {
    lt_class_table *table = calloc(1, sizeof *table + size * sizeof *table->slots);
    if (table) table->mask = size - 1;
    return table;
}

void lt_remember_class(const lt_class *metadata, lt_tracing tracing) {
    lt_class_table *table = lt_classes;
    if (table->count >= MOST_CLASSES) return;
    if (table->count * 2 >= table->mask) {
        lt_class_table *larger = make_table(table->mask ? (table->mask + 1) * 2 : FIRST_SIZE);
        if (!larger) return;
        for (uint32_t slot = 0; slot <= table->mask; slot++) {
            if (table->slots[slot]) fill(larger, table->slots[slot]);
        }
        // Other threads may be reading the old table, so it is never freed. All old tables together are smaller than
        // the new one.
        __atomic_store_n(&lt_classes, larger, __ATOMIC_RELEASE);
        table = larger;
    }
    fill(table, (uintptr_t)metadata | tracing);
}

void lt_forget_classes(void) {
    __atomic_store_n(&lt_classes, (lt_class_table *)&empty_table, __ATOMIC_RELEASE);
}
#endif
