// Declarations that the parts of a scan share.
#pragma once

#include "frozen_copy.h"

/// The current place of a scan.
typedef struct rp_place {
    rp_frozen_copy *frozen;
    rp_visitor visitor;
    void *context;
    /// The address from which offsets count. In an enum with several payloads this is the address of a copy.
    uintptr_t base;
    /// The end of the readable memory, as an offset.
    uint32_t end;
    /// The part of the block to scan; NULL for all of it. `position` is the current one.
    rp_part *part;
    uint32_t position;
    /// The names of the properties and cases around the scanned value, the innermost first.
    const rp_outer_name *outer;
    uint32_t depth;
    int64_t index;
    uintptr_t key;
    const rp_layout *key_layout;
    bool is_in_key;
    bool is_in_existential;
    bool is_unmanaged;
    bool is_in_tail;
    rp_slice slice;
    /// Whether the scanned value lies outside the variable, and the offset of the word with its address. The value's
    /// references are reported with that offset.
    bool is_outlined;
    uint32_t outlined_at;
    /// Whether it is uncertain that the scanned memory contains values of the layout.
    bool is_guess;
} rp_place;

static inline uint64_t rp_word_at(const rp_place *at, uint32_t offset) {
    return rp_read64(at->base + offset);
}

/// Clears a stale word, in the frozen copy alone. Writing copies a page, so a word that is clear already is only read.
static inline void rp_clear_word(uintptr_t address) {
    if (rp_read64(address)) *(uint64_t *)address = 0;
}

static inline bool rp_fits(const rp_place *at, uint32_t offset, uint32_t size) {
    return offset <= at->end && size <= at->end - offset;
}

static inline uint32_t rp_aligned(uint32_t offset, uint32_t alignment) {
    return alignment > 1 ? (offset + alignment - 1) & ~(alignment - 1) : offset;
}

/// Restricts the elements of a collection, or the words of a block, to those of the part to scan.
static inline void rp_restrict(const rp_place *at, uint64_t *first, uint64_t *end) {
    if (!at->part || at->part->position == RP_WHOLE_BLOCK) return;
    uint64_t last = at->part->position;
    if (*end > last) *end = last;
    if (last > 0 && *first < last - 1) *first = last - 1;
}

// scan_words.c

/// Passes a reference to the visitor.
void rp_report_edge(const rp_place *at, uint32_t to, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code);
void rp_scan_strong(const rp_place *at, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code);
void rp_scan_plain(const rp_place *at, const rp_slot *slot, uint32_t offset);
/// Reports every word that looks like a reference, up to the end if `length` is 0.
void rp_scan_words(const rp_place *at, uint32_t offset, uint32_t length, rp_name_index name);
/// Does the same up to the end, and numbers the words, so that a part of them can be scanned. No other elements may
/// follow in the block.
void rp_scan_last_words(rp_place *at, uint32_t offset);

// scan_values.c

/// Scans a value by its layout.
void rp_scan_value(rp_place *at, const rp_layout *layout, uint32_t offset);

// scan_collections.c

/// Whether values of a type can contain a reference, or a pointer to a raw block.
bool rp_is_of_interest(const rp_layout *layout);
void rp_scan_array(rp_place *at, const rp_layout *layout);
void rp_scan_hash_table(rp_place *at, const rp_layout *layout);

// scan_managed.c

/// Scans the elements of a ManagedBuffer.
void rp_scan_managed(rp_place *at, const rp_layout *layout);

// scan_hash_nodes.c

/// Scans the children and the items of a node of a hash tree.
void rp_scan_hash_node(rp_place *at, const rp_layout *layout);

// texts.c

/// Returns the size of a raw block, without the stale bytes behind its text if it contains a text of C and nothing
/// else.
uint32_t rp_size_without_slack(const rp_block *block);

// task_memory.c

/// Returns the number of bytes in use of a raw block.
uint32_t rp_used_size(const rp_frozen_copy *frozen, const rp_block *block);
/// Returns the number of bytes in use of a task's block.
uint32_t rp_used_size_of_task(const rp_frozen_copy *frozen, const rp_block *task);
/// Whether a word may refer to a block. Only the task's allocator and the links between slabs refer to a slab, so a
/// word elsewhere may refer only to a task inside it.
bool rp_may_lead_to(const rp_frozen_copy *frozen, uintptr_t address, const rp_block *block);
/// Scan the references to slabs: those of a task, and that of a slab to the next one.
void rp_scan_slabs_of_task(const rp_place *at);
void rp_scan_next_slab(const rp_place *at);

// inner_tasks.c

/// Scans the references of a task to its children in groups.
void rp_scan_children(rp_place *at);

// accesses.c

/// Scans the accesses of a task for the objects that they modify or read.
void rp_scan_accesses(rp_place *at);
/// Notes the scanned object if a thread has locked the mutex in it.
void rp_note_mutex(const rp_place *at, uint32_t offset);

// task_parts.c

/// Scans the references of a task: its closure or its result, and the words of its frames.
void rp_scan_task(rp_place *at);

// dispatch_sources.c

/// Scans the state of one of libdispatch's sources for the task that the source wakes, to which no plain address
/// refers.
void rp_scan_source_state(const rp_place *at);

// continuations.c

/// Scans the references of a continuation of libdispatch: only the words that libdispatch sets.
void rp_scan_continuation(const rp_place *at);

// c_blocks.c

/// Scans the references of one of C's blocks: the context of the function that it captures first, and the words behind
/// it.
void rp_scan_c_block(const rp_place *at);
