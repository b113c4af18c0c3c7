// What the files of the search in the frozen copy share: the state of one search, and the functions that one file calls in another.
// The parent process uses nothing of it.
#pragma once

#include "CRetainPaths.h"

#include <setjmp.h>
#include <string.h>

// MARK: Memory

/// Memory that grows at its end and never moves: address space is set aside at once, and made usable as it is needed.
typedef struct rp_region {
    char *start;
    size_t usable, reserved;
} rp_region;

// MARK: The process

enum rp_mapping_flags {
    RP_MAPPING_READABLE = 1,
    RP_MAPPING_WRITABLE = 2,
    RP_MAPPING_EXECUTABLE = 4,
    /// Of a file, or shared.
    RP_MAPPING_OF_FILE = 8,
    RP_MAPPING_IS_HEAP = 16,
    RP_MAPPING_IS_STACK = 32,
    /// The kernel's own: [vdso], [vvar] and the like.
    RP_MAPPING_OF_KERNEL = 64,
};

typedef struct rp_mapping {
    uintptr_t start, end;
    uint32_t flags;
} rp_mapping;

// MARK: The heap

/// What of a block is known beside its address.
enum rp_block_flags {
    /// To be left out: free, a side table, an object whose deinit runs.
    RP_BLOCK_DEAD = 1,
    RP_BLOCK_REACHED = 2,
    /// All strong references to it are precise ones: words that merely look like references are none.
    RP_BLOCK_SATURATED = 4,
    RP_BLOCK_TARGET = 8,
    /// Reached without going through a target.
    RP_BLOCK_REACHED_FREELY = 16,
    /// A task that asks or waits for one that does, or memory of its frames.
    RP_BLOCK_ASKING = 32,
    /// On a cycle.
    RP_BLOCK_CYCLIC = 64,
    RP_BLOCK_DEINITIALIZING = 128,
};

typedef struct rp_block {
    uintptr_t address;
    uint32_t size;
    /// Index into the types; 0 for a raw block.
    uint32_t type : 24;
    uint32_t flags : 8;
} rp_block;

/// Memory that malloc hands out blocks from.
typedef struct rp_heap_part {
    uintptr_t start, end;
    /// The first chunk.
    uintptr_t first;
    /// The chunk at which the walk ends; 0 where a part is one mapped block.
    uintptr_t top;
    bool is_mapped_block;
    /// Its first bit in `starts`.
    uint64_t first_bit;
} rp_heap_part;

enum { RP_NO_BLOCK = UINT32_MAX };

enum { RP_SAMPLES = 5 };

/// Blocks that the program freed right before it was copied; their addresses, inverted bit by bit.
typedef struct rp_samples {
    uintptr_t inverted[RP_SAMPLES];
} rp_samples;

/// What is known of heap metadata, or of the metadata of a value in an existential.
typedef struct rp_type {
    uintptr_t metadata;
    const rp_layout *layout;
    /// Of a class.
    uint32_t instance_size;
    /// Of a value: the flags of its value witness table.
    uint32_t witness_flags;
    /// An `rp_node_kind`; 0 for a value.
    uint8_t node;
    /// Whether the metadata of a value is that of a class.
    bool is_class;
} rp_type;

// MARK: References

/// A reference that a scan has found.
typedef struct rp_edge {
    uint32_t to;
    uint32_t offset;
    rp_name_index name, outer_name;
    int64_t index;
    uintptr_t code;
    /// In a dictionary or set: where the key of the element is, and its layout.
    uintptr_t key;
    const rp_layout *key_layout;
    uint8_t kind;
    bool is_precise;
    bool is_in_key;
    /// In an Unmanaged.
    bool is_by_hand;
    /// Behind the fields that a class has, where there may be nothing.
    bool is_in_tail;
} rp_edge;

typedef struct rp_snapshot rp_snapshot;
/// Told of every reference that a block has.
typedef void (*rp_visitor)(rp_snapshot *snapshot, const rp_edge *edge, void *context);

// MARK: Roots

typedef struct rp_root {
    /// Of the word, or of a static object's word.
    uintptr_t address;
    /// Of the static object, or of a variable whose type is known; 0 for a plain word.
    uintptr_t object;
    uint32_t object_size;
    uint32_t type;
    /// Of such a variable; else NULL.
    const rp_layout *layout;
    uint32_t thread;
    uint8_t node;
    /// Whether it is a variable of a library below Swift's.
    bool is_of_system;
    /// How far off a search begins with it; less than `RP_BUCKETS`.
    uint8_t distance;
} rp_root;

/// Whether it is a task: its variables are what the root holds.
static inline bool rp_is_root_of_task(const rp_root *root) {
    return root->node == RP_NODE_ROOT_TASK || root->node == RP_NODE_ROOT_WAITING_TASK;
}

/// A word outside the heap, or in a static object, that may be a strong reference.
typedef void (*rp_root_visitor)(
    rp_snapshot *snapshot, const rp_root *root, const rp_edge *edge, void *context);

enum rp_root_kinds {
    RP_NO_ROOTS = 0,
    RP_ROOTS_DATA = 1,
    /// Variables of libraries below Swift's. libdispatch and others keep what they have worked on: what they seem to hold is told only
    /// of what no cycle holds.
    RP_ROOTS_SYSTEM = 8,
    RP_ROOTS_THREADS_AND_ANONYMOUS = 2,
    RP_ROOTS_STACKS = 4,
    /// The variables of tasks that wait for those that ask.
    RP_ROOTS_WAITING_TASKS = 16,
};

/// A part of a thread's stack, or its variables.
typedef struct rp_thread_part {
    rp_range range;
    /// What kind of root it is, an `rp_node_kind`; 0 to pass it over.
    uint8_t node;
    /// The index of its thread in the request.
    uint32_t thread;
} rp_thread_part;

// MARK: Targets

enum { RP_MAX_CANDIDATES = 2 * RP_MAX_HOLDERS };

/// Who seems to hold a target.
typedef struct rp_candidate {
    /// The block, or `RP_NO_BLOCK` for a root.
    uint32_t from;
    uint32_t offset;
    rp_root root;
    bool is_precise;
} rp_candidate;

typedef struct rp_target {
    uint32_t block;
    /// Incoming references that were found: by layouts, by looks in the heap, in data, elsewhere outside the heap.
    uint32_t precise, conservative, from_data, from_elsewhere;
    /// Whether what was retained by hand is counted, and whether it is just being.
    bool is_counted_by_hand, wants_by_hand;
    /// Whether it is held by a cycle, as far as is known without what is retained by hand.
    bool is_open_by_hand;
    uint32_t precise_candidates, other_candidates;
    rp_candidate candidates[RP_MAX_CANDIDATES];
} rp_target;

// MARK: Everything

/// More than an edge weighs, or a root is away.
enum { RP_BUCKETS = 16 };

/// Distances from the roots, and how each block was reached.
typedef struct rp_search {
    uint32_t *distance;
    /// The block before, or the index of a root with `RP_FROM_ROOT`.
    uint32_t *parent;
    /// Blocks of a bucket are a list: a ring of small distances serves as the queue.
    uint32_t *next, *previous;
    uint32_t buckets[RP_BUCKETS];
    uint32_t queued;
    rp_root *roots;
    uint32_t root_count;
    rp_region root_memory;
} rp_search;

enum { RP_FROM_ROOT = 0x80000000u, RP_FAR = UINT32_MAX };

struct rp_snapshot {
    const rp_request *request;
    rp_answer *answer;
    const rp_samples *samples;
    uint64_t started_at;
    uint64_t memory_used;
    /// Bytes of address space that a limit of the process leaves; `RP_UNLIMITED` without one.
    uint64_t room;

    rp_mapping *mappings;
    uint32_t mapping_count;
    int page_map;
    uint64_t *page_window;
    uintptr_t page_window_start, page_window_end;
    /// Memory outside the heap that is no root: of the snapshot, of the tracer, of threads, of images; sorted.
    rp_region claim_memory;
    rp_range *claimed;
    uint32_t claimed_count;

    rp_heap_part *parts;
    uint32_t part_count;
    uintptr_t heap_start, heap_end;
    uintptr_t main_arena;
    /// malloc's mark of cached free blocks; 0 when there are none, or it is not known.
    uintptr_t cache_mark;
    rp_region block_memory;
    rp_block *blocks;
    uint32_t block_count;
    /// A bit for each 16 bytes of the heap, set where a block starts, and the number of bits before each word.
    uint64_t *starts;
    uint32_t *ranks;
    uint64_t bit_count;
    rp_region type_memory;
    rp_type *types;
    uint32_t type_count;
    uint32_t *type_table;
    uint32_t type_table_bits;
    uint64_t *known_contexts;

    rp_region thread_part_memory;
    rp_thread_part *thread_parts;
    uint32_t thread_part_count;
    /// The addresses of the tasks that ask, then of those that wait for them: they live for as long as the answer takes, and no cycle
    /// holds them.
    uintptr_t *asking_tasks;
    uint32_t first_waiting_task, asking_task_count, most_asking_tasks;

    uint32_t *precise_counts;
    /// The references of all kinds that were found, up to 255, stacks and thread-local variables left out.
    uint8_t *found_counts;
    /// The same without those that are words in raw memory.
    uint8_t *vouched_counts;
    /// Variables that are the program's or of libraries in Swift, and seem to hold it; up to 255.
    uint8_t *variable_counts;
    /// Unowned references that layouts tell of, up to 255.
    uint8_t *unowned_counts;
    /// Whether all are complete.
    bool is_counted;
    /// Whether an Unmanaged is believed also where words in raw memory seem to account for all references.
    bool believes_unmanaged;
    /// What a search among unreached blocks has to take back; made at the first.
    rp_region visited_memory;
    rp_target *targets;
    uint32_t target_count;
    /// The targets that were found, by block.
    uint32_t *targets_by_block;
    uint32_t found_target_count;
    rp_search search;

    /// Where to go on after a fault while an object is read.
    jmp_buf after_fault;
    volatile bool guards_faults;
    /// Counts the objects that were looked into, and the object's type: whoever is stuck in one is found out.
    volatile uint64_t scans;
    volatile uint32_t scanned_type;
    uint64_t scans_at_last_look;
    uint32_t intervals_in_scan;
    /// Processor time, nanoseconds, and how often it waited for something, by then.
    uint64_t time_at_last_look, waits_at_last_look;
    /// Where to go when there is no more memory, or the snapshot is of no use.
    jmp_buf give_up;
};

// arena.c

enum : uint64_t { RP_UNLIMITED = UINT64_MAX };

/// Sets aside address space for at most `reserve` bytes, between pages without access.
void rp_reserve(rp_snapshot *snapshot, rp_region *region, size_t reserve);
/// The same for a region that hardly ever needs that much: where address space is limited, at most one `share`th of what is left.
void rp_reserve_at_most(rp_snapshot *snapshot, rp_region *region, size_t reserve, uint32_t share);
/// Makes the first `size` bytes usable; they are zero at first. Gives up the snapshot where the limit does not allow it.
void rp_grow(rp_snapshot *snapshot, rp_region *region, size_t size);
/// Memory of that size, zero, for the life of the snapshot.
void *rp_take(rp_snapshot *snapshot, size_t size);
/// Gives up the snapshot, for a reason.
_Noreturn void rp_give_up(rp_snapshot *snapshot, uint32_t state, int32_t error);

// limits.c

/// Raises the copy's limits of memory as far as it may.
void rp_raise_limits(void);
/// Where memory runs out, has the kernel end the copy and not the program, which is larger.
void rp_be_ended_first(void);
/// Finds out how much address space is left; where it is limited, first unmaps what nobody can read. Needs the list of mappings.
void rp_make_room(rp_snapshot *snapshot);

// process_map.c

void rp_read_mappings(rp_snapshot *snapshot);
/// The mapping that an address is in; NULL when there is none.
const rp_mapping *rp_mapping_at(const rp_snapshot *snapshot, uintptr_t address);
bool rp_is_readable(const rp_snapshot *snapshot, uintptr_t address, size_t size);
bool rp_is_code(const rp_snapshot *snapshot, uintptr_t address);
/// Whether a word in front of a context may be its function: code, or what an object file has of an async function.
bool rp_may_be_function(const rp_snapshot *snapshot, uintptr_t word);

// claims.c

/// Takes a range out of what is searched for roots as anonymous memory.
void rp_claim(rp_snapshot *snapshot, rp_range range);
/// The first part of a range that nobody has claimed; empty, at its end, when there is none. `cursor` is 0 at first, and goes
/// from one call to the next as long as the ranges rise.
rp_range rp_unclaimed_from(const rp_snapshot *snapshot, uintptr_t start, uintptr_t end, uint32_t *cursor);

// touched_pages.c

void rp_open_page_map(rp_snapshot *snapshot);
/// The first page from one on, before `end`, that was ever written to or read; `end` when there is none. The others are zero.
uintptr_t rp_next_touched_page(rp_snapshot *snapshot, uintptr_t page, uintptr_t end);

// heap_parts.c

/// Finds malloc's arenas and mapped blocks.
void rp_find_heap_parts(rp_snapshot *snapshot);
/// The next arena after this one; malloc's arenas are a ring.
uintptr_t rp_next_arena(const rp_snapshot *snapshot, uintptr_t arena);

// heap_walk.c

/// Lists all blocks in use, in the order of their addresses.
void rp_walk_heap(rp_snapshot *snapshot);

// cached_blocks.c

/// Frees blocks of some sizes. To be called in the program, by the thread that copies it, with nothing of malloc's in between.
void rp_free_samples(rp_samples *samples);
/// Learns malloc's mark of cached blocks from what it has made of the samples; once all blocks are listed.
void rp_learn_cache_mark(rp_snapshot *snapshot);
/// Whether a block that is listed as used is free, and cached for a thread.
bool rp_is_cached(const rp_snapshot *snapshot, const rp_block *block);

// blocks.c

/// Prepares the look-up of blocks by address, once their starts are known.
void rp_mark_starts(rp_snapshot *snapshot);
const rp_heap_part *rp_part_at(const rp_snapshot *snapshot, uintptr_t address);
/// The block that starts at an address; `RP_NO_BLOCK` when there is none.
uint32_t rp_block_at(const rp_snapshot *snapshot, uintptr_t address);
/// The block that an address is in.
uint32_t rp_block_around(const rp_snapshot *snapshot, uintptr_t address);

// types.c

void rp_prepare_types(rp_snapshot *snapshot);
/// The index of the type whose heap metadata a word is the address of; 0 when it is none.
uint32_t rp_heap_type(rp_snapshot *snapshot, uintptr_t word);
/// The type of a value in an existential, by its metadata; NULL when that is none.
const rp_type *rp_value_type(rp_snapshot *snapshot, uintptr_t metadata);
/// The layout of a generic context with the bindings that this object has; NULL when it is not known yet.
const rp_layout *rp_context_layout(rp_snapshot *snapshot, const rp_type *type, uintptr_t address, uint32_t size);

// objects.c

/// Tells objects from raw blocks, and marks what is not alive.
void rp_classify_blocks(rp_snapshot *snapshot);
/// Marks the raw blocks in which the runtime keeps metadata, as far as types are known: they hold no object, but words left over
/// from former ones.
void rp_pass_over_metadata(rp_snapshot *snapshot);
typedef struct rp_reference_counts {
    uint32_t strong, unowned, weak;
    bool is_deinitializing;
    /// The block of the side table, or `RP_NO_BLOCK`.
    uint32_t side_table;
} rp_reference_counts;
rp_reference_counts rp_counts_of(const rp_snapshot *snapshot, uintptr_t object);
/// Whether two words, read as the header of an object, are that of one that lies in an image's data.
bool rp_is_static_header(uint64_t reference_counts);

// scan.c

/// Visits every reference of a block.
void rp_scan_block(rp_snapshot *snapshot, uint32_t block, rp_visitor visitor, void *context);
/// Visits every reference of an object that is no block.
void rp_scan_object(
    rp_snapshot *snapshot, uintptr_t address, uint32_t size, const rp_type *type, rp_visitor visitor, void *context);
/// Visits every reference of a value outside the heap.
void rp_scan_variable(
    rp_snapshot *snapshot, uintptr_t address, uint32_t size, const rp_layout *layout, rp_visitor visitor, void *context);
/// What a word that looks like a reference leads to; `RP_NO_BLOCK` when it does not.
uint32_t rp_look_like_reference(const rp_snapshot *snapshot, uintptr_t word);
/// Counts what was retained by hand, once for each target that wants for it: that is known only when all others are counted.
void rp_count_by_hand(rp_snapshot *snapshot);
/// Whether an object has more strong references than were found; false until they are counted.
bool rp_has_unexplained(const rp_snapshot *snapshot, uint32_t block);
/// How much an edge adds to a path's length.
uint32_t rp_weight(const rp_snapshot *snapshot, uint32_t from, const rp_edge *edge);
/// Whether an edge counts: not into what is dead, nor by looks into what is explained.
bool rp_counts_edge(const rp_snapshot *snapshot, const rp_edge *edge);

// c_blocks.c

/// Whether a raw block is one of C's blocks (closures) that was copied to the heap.
bool rp_is_c_block(const rp_snapshot *snapshot, const rp_block *block);

// continuations.c

/// Whether a raw block is a call that libdispatch is to make.
bool rp_is_continuation(const rp_snapshot *snapshot, const rp_block *block);

// task_memory.c

/// Whether a place in a block is memory in which a task keeps the frames of its functions.
bool rp_is_in_frames(const rp_snapshot *snapshot, uint32_t block, uint32_t offset);
/// Whether a block is a task that asks, or waits for one that does.
bool rp_is_asking(const rp_snapshot *snapshot, uint32_t block);

// task_parts.c

/// Whether a block is a task that is not done, as far as that can be told.
bool rp_is_running_task(rp_snapshot *snapshot, uint32_t block);
/// Clears what only lies beside the words by which sleeping tasks are woken.
void rp_clear_words_of_sleeps(rp_snapshot *snapshot);

// threads.c

/// Finds the stacks and the variables of threads, and marks what libdispatch only keeps for reuse.
void rp_find_threads(rp_snapshot *snapshot);

// roots.c

/// Claims what is looked at as an image's data, or not at all; to be called before the first visit.
void rp_prepare_roots(rp_snapshot *snapshot);
void rp_visit_roots(rp_snapshot *snapshot, uint32_t kinds, rp_root_visitor visitor, void *context);
/// Visits one of the tasks that ask, or wait for one that does.
void rp_visit_task(rp_snapshot *snapshot, uint32_t index, rp_root_visitor visitor, void *context);

// targets.c

/// Finds the objects that were asked for.
void rp_find_targets(rp_snapshot *snapshot);
/// The target that a block is; NULL when it is none.
rp_target *rp_target_of(const rp_snapshot *snapshot, uint32_t block);

// count.c

/// Counts precise references, finds the objects that these explain, and who seems to hold the targets.
void rp_count_references(rp_snapshot *snapshot);

// search.c

void rp_prepare_search(rp_snapshot *snapshot);
/// Goes on from all that is reached, by every Unmanaged.
void rp_search_by_hand(rp_snapshot *snapshot);
/// Extends the search by all roots of some kinds.
void rp_search_from_roots(rp_snapshot *snapshot, uint32_t kinds);
/// Extends it by the variables of tasks that wait for those that ask.
void rp_search_from_waiting_tasks(rp_snapshot *snapshot);
/// Offers a way to a block; taken if it is shorter than the one that is known.
bool rp_offer(rp_search *search, uint32_t to, uint32_t parent, uint32_t distance);
/// Takes the nearest block out of the queue, none of which is nearer than `*distance`; `RP_NO_BLOCK` at the end.
uint32_t rp_take_nearest(rp_search *search, uint32_t *distance);

// freely_reached.c

/// Marks what roots of some kinds reach without going through a target.
void rp_mark_freely_reached(rp_snapshot *snapshot, uint32_t kinds);

// unreached.c

/// References among blocks that no root reaches.
typedef struct rp_unreached {
    /// For each block, where its sources begin; one more at the end.
    uint32_t *first;
    /// Blocks with a reference to it; `RP_BY_LOOKS` is added where a layout does not vouch for it.
    uint32_t *sources;
} rp_unreached;

enum { RP_BY_LOOKS = 0x80000000u };

/// Lists them, and marks the blocks that are on cycles.
rp_unreached rp_list_unreached(rp_snapshot *snapshot);

// cycles.c

enum { RP_MOST_BLOCKS_OF_A_PATH = 4096 };

/// A way along references.
typedef struct rp_path {
    uint32_t blocks[RP_MOST_BLOCKS_OF_A_PATH];
    uint32_t count;
    bool is_cut;
} rp_path;

/// The shortest cycle through a block: from it round to the one that refers to it. Empty when there is none.
void rp_find_cycle(rp_snapshot *snapshot, uint32_t block, rp_path *path);

/// What a search against the direction of the references ends at.
typedef enum rp_source {
    RP_SOURCE_NONE,
    /// A block on a cycle.
    RP_SOURCE_CYCLE,
    /// A block with more references than were found, or with none.
    RP_SOURCE_UNEXPLAINED,
    /// Another target; only where these are not gone through.
    RP_SOURCE_TARGET,
} rp_source;

/// The nearest source of what holds a block, cycles before all others, and the way from there to the block.
rp_source rp_find_source(
    rp_snapshot *snapshot, const rp_unreached *unreached, uint32_t block, bool stops_at_targets, rp_path *path);

// steps.c

/// Tells of a block, without an edge.
void rp_tell_block(const rp_snapshot *snapshot, uint32_t block, rp_step *step);
/// Adds the edge from one block to another, the best if there are several; or that at an offset, if it is not `RP_ANY_OFFSET`.
void rp_tell_edge(rp_snapshot *snapshot, uint32_t from, uint32_t to, uint32_t offset, rp_step *step);
/// Tells of a root and its edge.
void rp_tell_root(rp_snapshot *snapshot, const rp_root *root, uint32_t to, rp_step *step);

enum { RP_ANY_OFFSET = UINT32_MAX };

// holders.c

/// Tells how many references to a target are explained, and who has them.
void rp_write_holders(
    rp_snapshot *snapshot, const rp_target *target, rp_result *result, const rp_unreached *unreached);

// functions.c

/// Finds functions of closures in the results that have none yet; looks through all blocks where there is such a closure.
void rp_find_functions(rp_snapshot *snapshot);

// results.c

void rp_write_results(rp_snapshot *snapshot);

// snapshot.c

void rp_enter_phase(rp_snapshot *snapshot, uint32_t phase);
uint64_t rp_now(void);

static inline uint64_t rp_read64(uintptr_t address) {
    uint64_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

static inline uint32_t rp_read32(uintptr_t address) {
    uint32_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

static inline const rp_slot *rp_slots_of(const rp_snapshot *snapshot, const rp_layout *layout) {
    return snapshot->request->layouts->slots + layout->first_slot;
}

static inline const rp_layout *rp_layout_at(const rp_snapshot *snapshot, rp_layout_index index) {
    return index ? snapshot->request->layouts->layouts + index : NULL;
}
