// What the parts of a scan share.
#pragma once

#include "snapshot.h"

/// The place that a scan is at.
typedef struct rp_place {
    rp_snapshot *snapshot;
    rp_visitor visitor;
    void *context;
    /// The bytes that an offset counts from; those of a copy where an enum is looked into.
    uintptr_t base;
    /// The end of what may be read, as an offset.
    uint32_t end;
    rp_name_index outer_name;
    uint32_t depth;
    int64_t index;
    uintptr_t key;
    const rp_layout *key_layout;
    bool is_in_key;
    bool is_by_hand;
    bool is_in_tail;
    /// Whether nothing vouches for what is scanned to be a value of its layout.
    bool is_guess;
} rp_place;

static inline uint64_t rp_word_at(const rp_place *at, uint32_t offset) {
    return rp_read64(at->base + offset);
}

static inline bool rp_fits(const rp_place *at, uint32_t offset, uint32_t size) {
    return offset <= at->end && size <= at->end - offset;
}

static inline uint32_t rp_aligned(uint32_t offset, uint32_t alignment) {
    return alignment > 1 ? (offset + alignment - 1) & ~(alignment - 1) : offset;
}

// scan_words.c

/// Tells the visitor of a reference.
void rp_tell(const rp_place *at, uint32_t to, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code);
void rp_scan_strong(const rp_place *at, uint32_t offset, rp_name_index name, uint8_t kind, uintptr_t code);
void rp_scan_plain(const rp_place *at, const rp_slot *slot, uint32_t offset);
/// Tells of every word that looks like a reference; to the end when `length` is 0.
void rp_scan_words(const rp_place *at, uint32_t offset, uint32_t length, rp_name_index name);

// scan_values.c

/// Scans a value by its layout.
void rp_scan_value(rp_place *at, const rp_layout *layout, uint32_t offset);

// scan_collections.c

void rp_scan_array(rp_place *at, const rp_layout *layout);
void rp_scan_hash_table(rp_place *at, const rp_layout *layout);

// scan_managed.c

/// The elements of a ManagedBuffer.
void rp_scan_managed(rp_place *at, const rp_layout *layout);

// task_memory.c

/// Whether a raw block is memory in which a task keeps the frames of its functions.
bool rp_is_slab(const rp_snapshot *snapshot, const rp_block *block);
/// How much of a raw block is in use.
uint32_t rp_used_size(const rp_snapshot *snapshot, const rp_block *block);
/// How much of a task's block is in use.
uint32_t rp_used_size_of_task(const rp_snapshot *snapshot, const rp_block *task);
/// Whether a word may lead to a block from anywhere.
bool rp_may_lead_to(const rp_snapshot *snapshot, uintptr_t address, const rp_block *block);
/// Finds the tasks that ask, those that wait for them, and the memory of their frames.
void rp_find_asking_tasks(rp_snapshot *snapshot);
/// The memory that a task has, and that which follows upon a slab: nothing else leads there.
void rp_scan_slabs_of_task(const rp_place *at);
void rp_scan_next_slab(const rp_place *at);

// task_parts.c

/// The references of a task: its closure, or its result, and the words of its frames.
void rp_scan_task(rp_place *at);

// dispatch_sources.c

/// What the state of one of libdispatch's sources leads to without an address that says so.
void rp_scan_source_state(const rp_place *at);

// continuations.c

/// The references of a call that libdispatch is to make: the words that it sets.
void rp_scan_continuation(const rp_place *at);

// c_blocks.c

/// The references of one of C's blocks: the context of the function that it captures first, and words behind that.
void rp_scan_c_block(const rp_place *at);
