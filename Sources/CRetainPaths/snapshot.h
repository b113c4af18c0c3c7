// The state of one search in the frozen copy, and the functions that the files of the search share. Only the frozen
// copy uses it.
#pragma once

#include "CRetainPaths.h"

#include <setjmp.h>
#include <string.h>

// MARK: Memory

/// Memory that grows at its end and never moves: its address space is reserved at once, and its pages become usable
/// when they are needed.
typedef struct rp_region {
    char *start;
    size_t usable, reserved;
} rp_region;

// MARK: The process

enum rp_mapping_flags {
    RP_MAPPING_READABLE = 1,
    RP_MAPPING_WRITABLE = 2,
    RP_MAPPING_EXECUTABLE = 4,
    /// The mapping is of a file, or shared.
    RP_MAPPING_OF_FILE = 8,
    RP_MAPPING_IS_HEAP = 16,
    RP_MAPPING_IS_STACK = 32,
    /// The mapping belongs to the kernel: [vdso], [vvar] and the like.
    RP_MAPPING_OF_KERNEL = 64,
};

typedef struct rp_mapping {
    uintptr_t start, end;
    uint32_t flags;
} rp_mapping;

// MARK: The heap

/// Properties of a block that the search learns.
enum rp_block_flags {
    /// The search skips the block: it is free, a side table, an object whose deinit runs, memory of the tracer,
    /// metadata, or cached by libdispatch.
    RP_BLOCK_DEAD = 1,
    RP_BLOCK_REACHED = 2,
    /// Precise edges account for all strong references to the object, so conservative edges to it are dropped.
    RP_BLOCK_SATURATED = 4,
    RP_BLOCK_TARGET = 8,
    /// A root reaches the block without going through a target.
    RP_BLOCK_REACHED_FREELY = 16,
    /// A requesting task, a task that awaits one, or memory of their frames.
    RP_BLOCK_ASKING = 32,
    /// The block is on a cycle.
    RP_BLOCK_CYCLIC = 64,
    RP_BLOCK_DEINITIALIZING = 128,
};

typedef struct rp_block {
    uintptr_t address;
    uint32_t size;
    /// An index into `rp_snapshot.types`; 0 for a raw block.
    uint32_t type : 24;
    uint32_t flags : 8;
} rp_block;

/// Memory from which malloc hands out blocks.
typedef struct rp_heap_part {
    uintptr_t start, end;
    /// The first chunk.
    uintptr_t first;
    /// The chunk at which the walk ends; 0 for a mapped block, which is a part of its own.
    uintptr_t top;
    bool is_mapped_block;
    /// The part's first bit in `rp_snapshot.starts`.
    uint64_t first_bit;
} rp_heap_part;

enum { RP_NO_BLOCK = UINT32_MAX };

enum { RP_SAMPLES = 5 };

/// Blocks that the program freed right before it was copied. The addresses are inverted bit by bit, so that they do not
/// look like references.
typedef struct rp_samples {
    uintptr_t inverted[RP_SAMPLES];
} rp_samples;

/// A type that was identified by heap metadata, or by the metadata of a value in an existential.
typedef struct rp_type {
    uintptr_t metadata;
    const rp_layout *layout;
    /// For a class, its instance size; for other heap metadata, the size of an object's header.
    uint32_t instance_size;
    /// For a value: the flags of its value witness table.
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
    /// In a dictionary or set: the address of the element's key, and the layout of the key.
    uintptr_t key;
    const rp_layout *key_layout;
    uint8_t kind;
    bool is_precise;
    bool is_in_key;
    /// The reference lies in an Unmanaged, so the program may have retained the object manually.
    bool is_by_hand;
    /// The reference lies behind the fields of the class, in memory that the object may not use.
    bool is_in_tail;
} rp_edge;

typedef struct rp_snapshot rp_snapshot;
/// A function that a scan calls for every reference of a block.
typedef void (*rp_visitor)(rp_snapshot *snapshot, const rp_edge *edge, void *context);

// MARK: Roots

typedef struct rp_root {
    /// Of the word; also of a word in a static object or a variable.
    uintptr_t address;
    /// The start of the static object, or of the variable with a known type; 0 for a plain word.
    uintptr_t object;
    uint32_t object_size;
    uint32_t type;
    /// Of the variable with a known type; else NULL.
    const rp_layout *layout;
    uint32_t thread;
    uint8_t node;
    /// Whether the root is a variable of a library below Swift's.
    bool is_of_system;
    /// The distance at which a search starts with this root; less than `RP_BUCKETS`.
    uint8_t distance;
} rp_root;

/// Whether a root is a requesting task or a task that awaits one. The root holds the variables of the task.
static inline bool rp_is_root_of_task(const rp_root *root) {
    return root->node == RP_NODE_ROOT_TASK || root->node == RP_NODE_ROOT_WAITING_TASK;
}

/// A function that is called for every word outside the heap, or in a static object, that may be a strong reference.
typedef void (*rp_root_visitor)(
    rp_snapshot *snapshot, const rp_root *root, const rp_edge *edge, void *context);

enum rp_root_kinds {
    RP_NO_ROOTS = 0,
    RP_ROOTS_DATA = 1,
    /// Variables of libraries below Swift's. libdispatch and others keep stale references to finished work, so the
    /// search uses these roots only for targets that no cycle holds.
    RP_ROOTS_SYSTEM = 8,
    RP_ROOTS_THREADS_AND_ANONYMOUS = 2,
    RP_ROOTS_STACKS = 4,
    /// The variables of tasks that await the requesting tasks.
    RP_ROOTS_WAITING_TASKS = 16,
};

/// A part of a thread's stack, or its thread-local variables.
typedef struct rp_thread_part {
    rp_range range;
    /// The kind of root, an `rp_node_kind`; 0 for memory that is not searched.
    uint8_t node;
    /// The index of the part's thread in `rp_request.threads`.
    uint32_t thread;
} rp_thread_part;

// MARK: Targets

enum { RP_MAX_CANDIDATES = 2 * RP_MAX_HOLDERS };

/// A possible holder of a target.
typedef struct rp_candidate {
    /// The block, or `RP_NO_BLOCK` for a root.
    uint32_t from;
    uint32_t offset;
    rp_root root;
    bool is_precise;
} rp_candidate;

typedef struct rp_target {
    uint32_t block;
    /// The incoming references that were found: precise edges; conservative edges in the heap, and Unmanaged
    /// references; conservative edges from image data; conservative edges from other memory outside the heap.
    uint32_t precise, conservative, from_data, from_elsewhere;
    /// Whether the references in Unmanaged values are counted, and whether the current pass counts them.
    bool is_counted_by_hand, wants_by_hand;
    /// Whether the target is leaked by a cycle according to the search so far, which has not followed Unmanaged
    /// references.
    bool is_open_by_hand;
    uint32_t precise_candidates, other_candidates;
    rp_candidate candidates[RP_MAX_CANDIDATES];
} rp_target;

// MARK: Everything

/// More than the largest weight of an edge and the largest distance of a root.
enum { RP_BUCKETS = 16 };

/// The blocks' distances from the roots, and their predecessors on the shortest paths.
typedef struct rp_search {
    uint32_t *distance;
    /// The preceding block, or the index of a root combined with `RP_FROM_ROOT`.
    uint32_t *parent;
    /// The blocks of a bucket are a doubly linked list. The ring of buckets is the queue, because weights are small.
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
    /// The bytes of address space that remain below the limit of the process; `RP_UNLIMITED` without a limit.
    uint64_t room;

    rp_mapping *mappings;
    uint32_t mapping_count;
    int page_map;
    uint64_t *page_window;
    uintptr_t page_window_start, page_window_end;
    /// Memory outside the heap that is not searched as anonymous memory: memory of the frozen copy, the tracer, threads
    /// and images, and the heap's own parts; sorted.
    rp_region claim_memory;
    rp_range *claimed;
    uint32_t claimed_count;

    rp_heap_part *parts;
    uint32_t part_count;
    uintptr_t heap_start, heap_end;
    uintptr_t main_arena;
    /// malloc's mark of cached free blocks; 0 if there are none, or if the mark is unknown.
    uintptr_t cache_mark;
    rp_region block_memory;
    rp_block *blocks;
    uint32_t block_count;
    /// One bit for each 16 bytes of the heap, set where a block starts; and the number of set bits before each word of
    /// bits.
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
    /// The addresses of the requesting tasks, followed by those of the tasks that await them. These tasks live until
    /// the answer arrives, and no cycle holds them.
    uintptr_t *asking_tasks;
    uint32_t first_waiting_task, asking_task_count, most_asking_tasks;

    uint32_t *precise_counts;
    /// For each block, the number of references from blocks and image data that were found, up to 255. Roots elsewhere
    /// are left out.
    uint8_t *found_counts;
    /// The same numbers without references from raw blocks other than slabs.
    uint8_t *vouched_counts;
    /// For each block, the number of conservative edges from image data of the program or of Swift libraries, up to
    /// 255.
    uint8_t *variable_counts;
    /// For each block, the number of unowned references that layouts declare, up to 255.
    uint8_t *unowned_counts;
    /// Whether all of these counts are complete.
    bool is_counted;
    /// Whether an Unmanaged reference is followed even if words in raw memory seem to account for all references.
    bool believes_unmanaged;
    /// The blocks whose distances a search among unreached blocks must reset; reserved by the first such search.
    rp_region visited_memory;
    rp_target *targets;
    uint32_t target_count;
    /// The indices of the targets that were found, sorted by block.
    uint32_t *targets_by_block;
    uint32_t found_target_count;
    rp_search search;

    /// The place to continue after a fault while an object is read.
    jmp_buf after_fault;
    volatile bool guards_faults;
    /// The number of objects that were scanned, and the type of the current one, from which the watchdog detects an
    /// object that takes too long.
    volatile uint64_t scans;
    volatile uint32_t scanned_type;
    uint64_t scans_at_last_look;
    uint32_t intervals_in_scan;
    /// The processor time of the copy in nanoseconds, and the number of its voluntary context switches, at the last
    /// look.
    uint64_t time_at_last_look, waits_at_last_look;
    /// The place to continue if memory runs out, or if the frozen copy cannot give an answer.
    jmp_buf give_up;
};

// arena.c

enum : uint64_t { RP_UNLIMITED = UINT64_MAX };

/// Reserves address space for `reserve` bytes, between two pages without access.
void rp_reserve(rp_snapshot *snapshot, rp_region *region, size_t reserve);
/// Does the same for a region that rarely needs that much. If address space is limited, reserves at most one `share`th
/// of the remaining space.
void rp_reserve_at_most(rp_snapshot *snapshot, rp_region *region, size_t reserve, uint32_t share);
/// Makes the first `size` bytes usable; new bytes are zero. Gives up the search if the limit does not allow it.
void rp_grow(rp_snapshot *snapshot, rp_region *region, size_t size);
/// Returns `size` bytes of zeroed memory that stay until the frozen copy ends.
void *rp_take(rp_snapshot *snapshot, size_t size);
/// Gives up the search with a state and an error number.
_Noreturn void rp_give_up(rp_snapshot *snapshot, uint32_t state, int32_t error);

// limits.c

/// Raises the copy's soft limits of memory to the hard limits.
void rp_raise_limits(void);
/// Makes the kernel end the copy first if memory runs out, instead of the program, which is larger.
void rp_be_ended_first(void);
/// Measures the remaining address space. If address space is limited, first unmaps memory without access. Call it after
/// the mappings are listed.
void rp_make_room(rp_snapshot *snapshot);

// process_map.c

void rp_read_mappings(rp_snapshot *snapshot);
/// Returns the mapping that contains an address; NULL if there is none.
const rp_mapping *rp_mapping_at(const rp_snapshot *snapshot, uintptr_t address);
bool rp_is_readable(const rp_snapshot *snapshot, uintptr_t address, size_t size);
bool rp_is_code(const rp_snapshot *snapshot, uintptr_t address);
/// Whether a word in front of a context may be its function: the address of code, or of an async function's descriptor
/// in an ELF file.
bool rp_may_be_function(const rp_snapshot *snapshot, uintptr_t word);

// claims.c

/// Excludes a range from the anonymous memory that is searched for roots.
void rp_claim(rp_snapshot *snapshot, rp_range range);
/// Returns the first part of a range that nothing has claimed; empty, at the range's end, if there is none. Start with
/// `cursor` at 0, and keep it between calls as long as the ranges rise.
rp_range rp_unclaimed_from(const rp_snapshot *snapshot, uintptr_t start, uintptr_t end, uint32_t *cursor);

// touched_pages.c

void rp_open_page_map(rp_snapshot *snapshot);
/// Returns the first page, from `page` on and before `end`, that was ever written to or read; `end` if there is none.
/// All other pages are zero.
uintptr_t rp_next_touched_page(rp_snapshot *snapshot, uintptr_t page, uintptr_t end);

// heap_parts.c

/// Finds malloc's arenas and mapped blocks.
void rp_find_heap_parts(rp_snapshot *snapshot);
/// Returns the arena after this one; malloc's arenas form a ring. Returns 0 if the link is not valid.
uintptr_t rp_next_arena(const rp_snapshot *snapshot, uintptr_t arena);

// heap_walk.c

/// Lists all blocks in use, in the order of their addresses.
void rp_walk_heap(rp_snapshot *snapshot);

// cached_blocks.c

/// Allocates and frees blocks of several sizes. Call it in the program, on the thread that copies the process, with no
/// other call of malloc in between.
void rp_free_samples(rp_samples *samples);
/// Learns malloc's mark of cached blocks from the contents of the samples. Call it after all blocks are listed.
void rp_learn_cache_mark(rp_snapshot *snapshot);
/// Whether a block that is listed as used is free and cached for a thread.
bool rp_is_cached(const rp_snapshot *snapshot, const rp_block *block);

// blocks.c

/// Prepares the lookup of blocks by address. Call it after all blocks are listed.
void rp_mark_starts(rp_snapshot *snapshot);
const rp_heap_part *rp_part_at(const rp_snapshot *snapshot, uintptr_t address);
/// Returns the block that starts at an address; `RP_NO_BLOCK` if there is none.
uint32_t rp_block_at(const rp_snapshot *snapshot, uintptr_t address);
/// Returns the block that contains an address; `RP_NO_BLOCK` if there is none.
uint32_t rp_block_around(const rp_snapshot *snapshot, uintptr_t address);

// types.c

void rp_prepare_types(rp_snapshot *snapshot);
/// Returns the index of the type whose heap metadata has the address `word`; 0 if `word` is not such an address.
uint32_t rp_heap_type(rp_snapshot *snapshot, uintptr_t word);
/// Returns the type of a value in an existential, by its metadata; NULL if the address is not that of metadata.
const rp_type *rp_value_type(rp_snapshot *snapshot, uintptr_t metadata);
/// Returns the layout of a generic context with the bindings of this object; NULL if the layout is not known yet.
const rp_layout *rp_context_layout(rp_snapshot *snapshot, const rp_type *type, uintptr_t address, uint32_t size);

// objects.c

/// Tells objects from raw blocks, and marks blocks that are not alive.
void rp_classify_blocks(rp_snapshot *snapshot);
/// Marks the raw blocks in which the runtime keeps metadata, as far as types are known. They hold no objects, but
/// contain stale words of former blocks.
void rp_pass_over_metadata(rp_snapshot *snapshot);
typedef struct rp_reference_counts {
    uint32_t strong, unowned, weak;
    bool is_deinitializing;
    /// The block of the side table, or `RP_NO_BLOCK`.
    uint32_t side_table;
} rp_reference_counts;
rp_reference_counts rp_counts_of(const rp_snapshot *snapshot, uintptr_t object);
/// Whether the second word of a possible object's header is that of an object in an image's data.
bool rp_is_static_header(uint64_t reference_counts);

// scan.c

/// Visits every reference of a block.
void rp_scan_block(rp_snapshot *snapshot, uint32_t block, rp_visitor visitor, void *context);
/// Visits every reference of an object that is not a block of malloc.
void rp_scan_object(
    rp_snapshot *snapshot, uintptr_t address, uint32_t size, const rp_type *type, rp_visitor visitor, void *context);
/// Visits every reference of a value outside the heap.
void rp_scan_variable(
    rp_snapshot *snapshot, uintptr_t address, uint32_t size, const rp_layout *layout, rp_visitor visitor, void *context);
/// Returns the block to which a word refers if it looks like a reference; else `RP_NO_BLOCK`.
uint32_t rp_look_like_reference(const rp_snapshot *snapshot, uintptr_t word);
/// Counts the Unmanaged references to each target that has unexplained strong references, once per target. This is
/// known only after all other references are counted.
void rp_count_by_hand(rp_snapshot *snapshot);
/// Whether an object has more strong references than were found; false before the references are counted.
bool rp_has_unexplained(const rp_snapshot *snapshot, uint32_t block);
/// Returns the weight of an edge, by which it lengthens a path.
uint32_t rp_weight(const rp_snapshot *snapshot, uint32_t from, const rp_edge *edge);
/// Whether the search follows an edge. It ignores unowned edges, edges to dead blocks, and conservative edges to
/// saturated objects.
bool rp_counts_edge(const rp_snapshot *snapshot, const rp_edge *edge);

// c_blocks.c

/// Whether a raw block is one of C's blocks (closures) that was copied to the heap.
bool rp_is_c_block(const rp_snapshot *snapshot, const rp_block *block);

// continuations.c

/// Whether a raw block is a continuation of libdispatch: a call that libdispatch is to make.
bool rp_is_continuation(const rp_snapshot *snapshot, const rp_block *block);

// task_memory.c

/// Whether an offset in a block lies in memory in which a task keeps the frames of its functions.
bool rp_is_in_frames(const rp_snapshot *snapshot, uint32_t block, uint32_t offset);
/// Whether a block is a requesting task, or a task that awaits one.
bool rp_is_asking(const rp_snapshot *snapshot, uint32_t block);

// task_parts.c

/// Whether a block is a task with a result that has not finished yet.
bool rp_is_running_task(rp_snapshot *snapshot, uint32_t block);
/// Clears the stale memory behind the words by which sleeping tasks are woken.
void rp_clear_words_of_sleeps(rp_snapshot *snapshot);

// threads.c

/// Finds the stacks and the thread-local variables of threads, and marks the continuations that libdispatch keeps for
/// reuse.
void rp_find_threads(rp_snapshot *snapshot);

// roots.c

/// Claims the images' data, the tracer's memory and the heap, so that they are not searched as anonymous memory. Call
/// it before the first visit.
void rp_prepare_roots(rp_snapshot *snapshot);
void rp_visit_roots(rp_snapshot *snapshot, uint32_t kinds, rp_root_visitor visitor, void *context);
/// Visits one of the requesting tasks or the tasks that await them.
void rp_visit_task(rp_snapshot *snapshot, uint32_t index, rp_root_visitor visitor, void *context);

// targets.c

/// Finds the objects that the request names.
void rp_find_targets(rp_snapshot *snapshot);
/// Returns the target that a block is; NULL if it is none.
rp_target *rp_target_of(const rp_snapshot *snapshot, uint32_t block);

// count.c

/// Counts the references, marks the objects whose references are all explained, and collects the possible holders of
/// the targets.
void rp_count_references(rp_snapshot *snapshot);

// search.c

void rp_prepare_search(rp_snapshot *snapshot);
/// Continues the search from all reached blocks and from image data along the Unmanaged references.
void rp_search_by_hand(rp_snapshot *snapshot);
/// Extends the search by all roots of some kinds.
void rp_search_from_roots(rp_snapshot *snapshot, uint32_t kinds);
/// Extends the search by the variables of tasks that await the requesting tasks.
void rp_search_from_waiting_tasks(rp_snapshot *snapshot);
/// Offers a path to a block. The search takes the path if it is shorter than the known one.
bool rp_offer(rp_search *search, uint32_t to, uint32_t parent, uint32_t distance);
/// Takes the nearest block out of the queue. No block in the queue may be nearer than `*distance`. Returns
/// `RP_NO_BLOCK` if the queue is empty.
uint32_t rp_take_nearest(rp_search *search, uint32_t *distance);

// freely_reached.c

/// Marks the blocks that roots of some kinds reach without going through a target.
void rp_mark_freely_reached(rp_snapshot *snapshot, uint32_t kinds);

// unreached.c

/// The references among blocks that no root reaches.
typedef struct rp_unreached {
    /// For each block, the index of its first source; one more entry at the end.
    uint32_t *first;
    /// The blocks that refer to a block. `RP_BY_LOOKS` is added if the edge is conservative.
    uint32_t *sources;
} rp_unreached;

enum { RP_BY_LOOKS = 0x80000000u };

/// Lists the references among unreached blocks, and marks the blocks that are on cycles.
rp_unreached rp_list_unreached(rp_snapshot *snapshot);

// cycles.c

enum { RP_MOST_BLOCKS_OF_A_PATH = 4096 };

/// A path along references.
typedef struct rp_path {
    uint32_t blocks[RP_MOST_BLOCKS_OF_A_PATH];
    uint32_t count;
    bool is_cut;
} rp_path;

/// Finds the shortest cycle through a block, from it round to the block that refers to it. The path is empty if there
/// is no cycle.
void rp_find_cycle(rp_snapshot *snapshot, uint32_t block, rp_path *path);

/// The end of a search against the direction of the references.
typedef enum rp_source {
    RP_SOURCE_NONE,
    /// A block on a cycle.
    RP_SOURCE_CYCLE,
    /// A block with more strong references than were found, a block to which no reference was found, or a running task.
    RP_SOURCE_UNEXPLAINED,
    /// Another target; only if the search stops at targets.
    RP_SOURCE_TARGET,
} rp_source;

/// Searches for the nearest source of the references that hold a block, and the path from the source to the block. A
/// cycle is preferred to an unexplained block, and an unexplained block to another target.
rp_source rp_find_source(
    rp_snapshot *snapshot, const rp_unreached *unreached, uint32_t block, bool stops_at_targets, rp_path *path);

// steps.c

/// Describes a block in a step, without an edge.
void rp_tell_block(const rp_snapshot *snapshot, uint32_t block, rp_step *step);
/// Adds the edge from one block to another to a step: the best edge if there are several, or the edge at `offset` if it
/// is not `RP_ANY_OFFSET`.
void rp_tell_edge(rp_snapshot *snapshot, uint32_t from, uint32_t to, uint32_t offset, rp_step *step);
/// Describes a root and its edge in a step.
void rp_tell_root(rp_snapshot *snapshot, const rp_root *root, uint32_t to, rp_step *step);

enum { RP_ANY_OFFSET = UINT32_MAX };

// holders.c

/// Writes the number of explained references to a target, and their holders, to the result.
void rp_write_holders(
    rp_snapshot *snapshot, const rp_target *target, rp_result *result, const rp_unreached *unreached);

// functions.c

/// Finds functions of closures in the results that have none yet. Scans all blocks if there is such a closure.
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
