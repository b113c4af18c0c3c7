// The interface between the program and the frozen copy, in which the search for retain paths runs. The frozen copy is
// a clone of the process, made by clone(2). It has one thread, no allocator, and no Swift runtime except the value
// witnesses of enums. The copy reads layouts that the parent has compiled, walks the heap, follows the strong
// references, and writes its answer to memory that it shares with the parent.
//
// Words: A *block* is a piece of memory that malloc has handed out. An *object* is a block that begins with Swift heap
// metadata; any other block is a *raw block*. A *layout* says where the references in an object or a value are; its
// *slots* are the single places. An *edge* is a reference from one block to another. An edge is *precise* when a layout
// declares the reference, and *conservative* when a word merely looks like a reference. A *root* is a reference from
// outside the heap. An *image* is a loaded ELF object: the program or a shared library. A *requesting task* is a Swift
// task that awaits the answer of this search.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSwiftRuntime.h"

// MARK: Layouts, compiled in the parent, read in the frozen copy

/// An index into `rp_layouts.layouts`; 0 means no layout.
typedef uint32_t rp_layout_index;
/// An offset into `rp_layouts.names`; 0 is the empty name. Names are UTF-8 and end with a zero byte.
typedef uint32_t rp_name_index;

enum rp_slot_kind {
    /// One word: a strong reference, possibly nil, possibly with its spare bits in use.
    RP_SLOT_STRONG = 1,
    /// One word that is not a strong reference: weak, unowned or unmanaged. The search does not follow it, with one
    /// exception: an unmanaged reference is followed if its object has more strong references than the search has
    /// found. Unowned references are counted.
    RP_SLOT_WEAK,
    RP_SLOT_UNOWNED,
    RP_SLOT_UNMANAGED,
    /// `length` bytes of plain data. They may point to raw blocks and tasks; pointers to other objects are ignored.
    RP_SLOT_PLAIN,
    /// Two words: the code and the context of a thick function.
    RP_SLOT_FUNCTION,
    /// An opaque existential: a buffer of three words, and the metadata of the value in it.
    RP_SLOT_EXISTENTIAL,
    /// A value of an enum. `layout` is the enum's layout.
    RP_SLOT_ENUM,
    /// A payload case in the layout of an enum. `layout` is the payload's layout, 0 for a payload without references.
    RP_SLOT_CASE,
    /// `length` bytes with unknown contents; up to the end of the object if `length` is 0.
    RP_SLOT_CONSERVATIVE,
};

typedef struct rp_slot {
    /// In bytes, from the start of the object or value.
    uint32_t offset;
    uint32_t length;
    /// The property as a person writes it, including the properties of inlined structs and tuples: "subs",
    /// "position.owner", "pair.1".
    rp_name_index name;
    rp_layout_index layout;
    uint8_t kind;
} rp_slot;

enum rp_layout_kind {
    RP_LAYOUT_VALUE = 1,
    RP_LAYOUT_ENUM,
    RP_LAYOUT_CLASS,
    /// A closure's context, or a box of a non-generic variable.
    RP_LAYOUT_CONTEXT,
    RP_LAYOUT_GENERIC_BOX,
    RP_LAYOUT_ERROR_BOX,
    RP_LAYOUT_TASK,
};

/// The contents of an object behind its own fields.
enum rp_tail {
    RP_TAIL_NONE = 0,
    /// _ContiguousArrayStorage: values of `element`.
    RP_TAIL_ARRAY,
    /// _DictionaryStorage: keys of `element`, values of `value`.
    RP_TAIL_DICTIONARY,
    /// _SetStorage: values of `element`.
    RP_TAIL_SET,
    /// ManagedBuffer: places for values of `element`, some of which may be unused.
    RP_TAIL_MANAGED,
    /// Bytes without references, such as the text of a string.
    RP_TAIL_BYTES,
    /// AnyKeyPath: components, which may retain the arguments of subscripts.
    RP_TAIL_KEY_PATH,
};

enum rp_layout_flags {
    /// The value holds no references (its type is "plain old data").
    RP_LAYOUT_IS_PLAIN = 1,
    /// An enum with more than one payload case: the payload must be projected from a copy of the value.
    RP_LAYOUT_IS_MULTI_PAYLOAD = 2,
    /// The layout has conservative parts, so not every edge that it yields is precise.
    RP_LAYOUT_IS_PARTLY_CONSERVATIVE = 4,
    /// A context that binds generic parameters. Each set of bindings has its own layout, which is found by
    /// `rp_context_key`.
    RP_LAYOUT_IS_GENERIC = 8,
    /// A class of Foundation, whose objects may be larger than their instance size.
    RP_LAYOUT_MAY_BE_LONGER = 16,
    /// A ManagedBuffer whose header has a property named `count` or `_count`.
    RP_LAYOUT_NAMES_COUNT = 32,
};

/// How the key of a dictionary's entry is reported.
enum rp_key_kind {
    RP_KEY_NONE = 0,
    /// A String, or a struct whose only property is one (the name of a notification).
    RP_KEY_STRING,
    RP_KEY_SIGNED,
    RP_KEY_UNSIGNED,
};

typedef struct rp_layout {
    /// The address of the metadata, the key of a context with bindings (`rp_context_key`) or of a variable
    /// (`rp_variable_key`), or 0 for a layout that is reached only through other layouts.
    uintptr_t key;
    uint32_t size;
    uint32_t stride;
    uint32_t alignment;
    uint32_t first_slot;
    uint32_t slot_count;
    rp_layout_index element;
    rp_layout_index value;
    uint8_t kind;
    uint8_t tail;
    uint8_t flags;
    /// The number of words of bindings in a generic context, at the offset of its captures.
    uint8_t binding_count;
    /// How a dictionary's key with this layout is reported, an `rp_key_kind`.
    uint8_t key_kind;
    /// For a ManagedBuffer: the offsets in the object at which its header states the number of elements, the place of
    /// the first element, and the number of places in the ring. An offset is 0 if the header does not state the number.
    uint16_t count_offset, start_offset, capacity_offset;
    /// The class of the elements of a ManagedBuffer if they are references, optional or not; else 0.
    uintptr_t element_class;
} rp_layout;

/// All layouts, in a mapping of their own, which is not part of the heap. Only the parent writes to it, and only while
/// no frozen copy runs. Addresses of entries never change.
typedef struct rp_layouts {
    rp_layout *layouts;
    rp_slot *slots;
    char *names;
    /// The indices of layouts by key: a table with open addressing and 2^table_bits entries; 0 is a free entry.
    uint32_t *table;
    uint32_t layout_count, layout_limit;
    uint32_t slot_count, slot_limit;
    uint32_t name_bytes, name_limit;
    uint32_t table_bits;
    /// The number of layouts, sets of slots and names that did not fit.
    uint64_t dropped;
} rp_layouts;

/// Maps memory for layouts; returns NULL if there is too little memory. The memory is never freed: a process has one
/// table.
rp_layouts *rp_make_layouts(uint32_t layout_limit, uint32_t slot_limit, uint32_t name_limit);
/// Returns the layout for a key, 0 if there is none yet.
rp_layout_index rp_find_layout(const rp_layouts *layouts, uintptr_t key);
/// Adds an empty layout under a key; returns 0 if there is no room. A layout with the key 0 is not entered in the
/// table.
rp_layout_index rp_add_layout(rp_layouts *layouts, uintptr_t key);
/// Appends slots and assigns them to a layout, which must have none yet; returns false if there is no room.
bool rp_set_slots(rp_layouts *layouts, rp_layout_index layout, const rp_slot *slots, uint32_t count);
/// Returns the index of a name, 0 if there is no room. The same name usually has the same index: a cache of recent
/// names finds most repetitions.
rp_name_index rp_add_name(rp_layouts *layouts, const char *name, size_t length);
/// Returns the key for the layout of a generic context with these bindings.
uintptr_t rp_context_key(const void *metadata, const uintptr_t *bindings, uint32_t count);
/// Returns the key for the layout of the variable at an address. The key is odd; no address of metadata is.
static inline uintptr_t rp_variable_key(uintptr_t start) {
    return start | 1;
}

// MARK: Findings of the frozen copy

enum { RP_MAX_STEPS = 64, RP_MAX_HOLDERS = 16, RP_KEY_BYTES = 64, RP_MAX_BINDINGS = 15 };

enum rp_node_kind {
    RP_NODE_ROOT_DATA = 1,
    RP_NODE_ROOT_THREAD_LOCAL,
    RP_NODE_ROOT_ANONYMOUS,
    RP_NODE_ROOT_STACK,
    /// A requesting task, and a task that awaits a requesting task.
    RP_NODE_ROOT_TASK,
    RP_NODE_ROOT_WAITING_TASK,
    RP_NODE_OBJECT = 16,
    RP_NODE_CLOSURE,
    RP_NODE_GENERIC_BOX,
    RP_NODE_ERROR_BOX,
    RP_NODE_TASK,
    /// A raw block.
    RP_NODE_BLOCK,
    /// An object in an image's data instead of the heap (the storage of an array literal).
    RP_NODE_STATIC_OBJECT,
};

enum rp_edge_kind {
    RP_EDGE_STRONG = 1,
    /// The context of a stored function; `code` is the function.
    RP_EDGE_FUNCTION,
    /// The box of an existential.
    RP_EDGE_EXISTENTIAL_BOX,
    /// A pointer in plain data to a raw block or a task.
    RP_EDGE_RAW,
    RP_EDGE_CONSERVATIVE,
    /// An unowned reference. It holds nothing, is only counted, and never appears in an answer.
    RP_EDGE_UNOWNED,
};

enum rp_status {
    RP_STATUS_REACHABLE = 1,
    RP_STATUS_CYCLE,
    RP_STATUS_LEAKED_BY_CYCLE,
    RP_STATUS_NO_ROOT_FOUND,
    /// No live object with that handle was found: it has died, or is in memory that the search does not cover.
    RP_STATUS_NOT_FOUND,
    /// The object's deinit is running.
    RP_STATUS_DEINITIALIZING,
};

/// A node of a path, and the edge that leads from it to the next node.
typedef struct rp_step {
    /// Of the root's word, or of the object or block.
    uintptr_t address;
    /// The metadata of an object; the first word of any other block, which identifies objects of libdispatch and of C;
    /// 0 for a root, except for a static object.
    uintptr_t metadata;
    /// The function stored in front of the reference to the context, or 0.
    uintptr_t code;
    /// For a closure's context to which the step before states no function: a function that is stored beside another
    /// reference to the context, or 0.
    uintptr_t own_code;
    /// The index in an array, the bucket in a dictionary or set, -1 elsewhere.
    int64_t index;
    uint32_t size;
    /// Of the edge's word, from the start of the object.
    uint32_t offset;
    rp_name_index name;
    /// The property that holds the existential or enum in which `name` lies, or 0.
    rp_name_index outer_name;
    /// For roots on stacks and in thread-local variables: an index into `rp_request.threads`, UINT32_MAX if the thread
    /// is unknown.
    uint32_t thread;
    uint8_t node;
    uint8_t edge;
    bool is_precise;
    /// `code` is not the address of code, but of a word in a file's mapping. It may be the descriptor of an async
    /// function; the word's symbol decides.
    bool may_be_async;
    /// For a variable: more variables seem to hold the object than it has references, or an unowned reference to it was
    /// not found, or the reference lies in an Unmanaged. The variable may therefore not hold the object.
    bool is_contested;
    /// Whether a root reaches the block or object.
    bool is_reached;
    /// In a dictionary or set: whether the edge lies in the key, and how the key is reported.
    bool is_in_key;
    uint8_t key_kind;
    uint8_t key_length;
    /// The UTF-8 of a string, cut after at most 64 bytes, or the 8 bytes of a number.
    char key[RP_KEY_BYTES];
} rp_step;

typedef struct rp_result {
    uintptr_t address;
    uintptr_t metadata;
    /// Of the target's block.
    uint32_t size;
    uint32_t status;
    uint32_t strong_count, unowned_count, weak_count;
    /// The number of strong references that were found, how many of them are precise, and how many come directly from
    /// roots. `from_roots` counts only references that are not precise.
    uint32_t found, precise, from_roots;
    /// The target through which alone this one is held, as its index + 1; 0 if the target is held otherwise.
    uint32_t culprit;
    /// The steps of the path.
    ///
    /// Reachable: from the root, or from a task that no known reference holds, to the target. In a cycle: from the
    /// target round to the step that holds the target. Leaked by a cycle: round the cycle, then from the step at which
    /// the path leaves the cycle, which is repeated, to the target. No root found: from the unexplained holder to the
    /// target, if the two differ.
    uint32_t step_count;
    /// In a cycle: the step to which the cycle returns, and the step from which it returns. `has_cycle` tells whether
    /// the steps contain a whole cycle.
    uint32_t cycle_start, cycle_end;
    bool has_cycle;
    /// Whether steps or holders were left out.
    bool is_cut;
    uint32_t holder_count;
    rp_step steps[RP_MAX_STEPS];
    rp_step holders[RP_MAX_HOLDERS];
} rp_result;

// MARK: The question

enum {
    /// The numbers of unknown types, contexts and variables that one answer lists. The next round finds more.
    RP_MAX_UNKNOWN_TYPES = 16384,
    RP_MAX_UNKNOWN_CONTEXTS = 2048,
    RP_MAX_UNKNOWN_VARIABLES = 4096,
    /// Targets of one question.
    RP_MAX_TARGETS = 4096,
};

/// The addresses from `start` up to but excluding `end`.
typedef struct rp_range {
    uintptr_t start, end;
} rp_range;

/// A writable part of an image.
typedef struct rp_image_data {
    rp_range range;
    /// Whether the image is the C library or another library below Swift's. Such libraries keep stale references, so a
    /// path from their variables is reported only for a target that neither other variables nor a cycle hold.
    bool is_of_system;
    /// Whether some of `rp_request.system` lie in the image.
    bool has_system_parts;
} rp_image_data;

/// A variable of a C library that lists pending work.
typedef struct rp_pending_work {
    rp_range range;
    /// Whether the variable only passes work on to other pending variables, which also refer to the work once they have
    /// it.
    bool is_in_transit;
} rp_pending_work;

typedef struct rp_thread {
    int32_t id;
    /// The stack pointer while the thread waits in the kernel; 0 for a running thread.
    uintptr_t stack_pointer;
} rp_thread;

/// The parts of the C library, libdispatch and Swift's libraries that differ between builds; `rp_learn_process_facts`
/// finds all but the first.
typedef struct rp_process_facts {
    /// malloc's mark of cached free blocks, as an earlier copy learnt it (`rp_answer.cache_mark`); 0 if none has.
    uintptr_t cache_mark;
    /// The distance from the start of the threads' static variables to the thread pointer.
    uint64_t thread_local_size;
    /// The offset of the thread's number from the thread pointer; 0 if unknown.
    uint64_t thread_id_offset;
    /// The offset of libdispatch's thread-local variables from the thread pointer; 0 if libdispatch is not loaded.
    int64_t dispatch_offset;
    /// The first word of a slab, which is the memory for a task's frames; 0 if the concurrency library is not loaded.
    uintptr_t task_slab_metadata;
    /// The size of a task without the fragments that depend on its kind; 0 if unknown.
    uint64_t task_size;
    /// The address of the runtime's variable that points to the free memory for the next metadata; 0 if unknown.
    uintptr_t metadata_pool;
} rp_process_facts;

/// Everything that the frozen copy needs from its parent. The memory behind the pointers must stay valid until the
/// process has been copied.
typedef struct rp_request {
    const rp_layouts *layouts;
    const rp_image_data *image_data;
    uint32_t image_data_count;
    /// The parts of the image data in which no word is a strong reference; sorted, disjoint.
    uint32_t excluded_count;
    const rp_range *excluded;
    /// The parts of the image data that contain variables of C in libraries that are mostly Swift, and those of
    /// libdispatch; sorted, disjoint. They are treated like variables of the system.
    uint32_t system_count;
    const rp_range *system;
    /// Variables of Swift whose symbols tell their types; sorted, disjoint. `rp_variable_key` finds their layouts.
    uint32_t variable_count;
    const rp_range *variables;
    /// Variables of C libraries that list pending work, such as libdispatch's timers. They hold the work like any
    /// variable.
    uint32_t pending_count;
    const rp_pending_work *pending;
    /// The class of C's blocks (closures) that were copied to the heap; 0 if unknown.
    uintptr_t heap_block_class;
    /// The writable part of the C library, which contains malloc's main arena.
    rp_range allocator_data;
    /// Memory of the tracer outside the heap.
    const rp_range *own_memory;
    uint32_t own_memory_count;
    /// Memory of the tracer in malloc's blocks.
    const rp_range *own_blocks;
    uint32_t own_block_count;
    uint32_t thread_count;
    const rp_thread *threads;
    rp_process_facts facts;
    int32_t process_id;
    /// The thread that copies the process. Its stack and its thread-local variables are not searched.
    int32_t own_thread_id;
    /// Inverted bit by bit, so that the request itself contains no reference. The first `address_count` entries are
    /// addresses of targets, which may be any blocks. The other entries are words that targets contain among their
    /// fields.
    const uint64_t *targets;
    uint32_t target_count;
    uint32_t address_count;
    /// The addresses of the requesting tasks, inverted in the same way.
    const uint64_t *asking_tasks;
    uint32_t asking_task_count;
    /// Search even if layouts are missing: values without a layout are scanned conservatively.
    bool is_last_round;
    /// The number of bytes that the frozen copy may use for itself.
    uint64_t memory_limit;
} rp_request;

// MARK: The answer

enum rp_phase {
    RP_PHASE_COPYING = 1,
    RP_PHASE_WALKING,
    RP_PHASE_COUNTING,
    RP_PHASE_SEARCHING,
};

enum rp_state {
    /// The frozen copy is running, or has been killed.
    RP_STATE_RUNNING = 0,
    RP_STATE_DONE,
    /// Layouts of types, contexts or variables are missing. The answer lists them and contains no results.
    RP_STATE_NEEDS_LAYOUTS,
    /// The search reached `rp_request.memory_limit` (`error` is 0), or the system refused memory (`error` is its
    /// number).
    RP_STATE_OUT_OF_MEMORY,
    /// Another thread was changing the heap when the process was copied. The parent retries.
    RP_STATE_HEAP_IN_FLUX,
    /// The heap does not have the structure of glibc's malloc.
    RP_STATE_HEAP_UNKNOWN,
    /// malloc's main arena is not in the memory that brk extends, for example because the kernel refused to move brk.
    RP_STATE_HEAP_ELSEWHERE,
    /// The system refused an operation that the frozen copy needs.
    RP_STATE_REFUSED,
    /// A fault occurred outside the guarded code.
    RP_STATE_CRASHED,
};

typedef struct rp_counts {
    /// Blocks in use, objects among them, and the bytes of all.
    uint64_t blocks, objects, block_bytes;
    /// Memory that was recognised and left out: free blocks that look used, objects whose deinit runs, side tables of
    /// weak references.
    uint64_t free_blocks, deinitializing, side_tables;
    uint64_t static_objects, arenas, mapped_blocks, types;
    /// Objects whose strong references are all precise edges.
    uint64_t saturated;
    uint64_t reached;
    /// Errors that the search skipped: walks that ended early, and faults while an object was read.
    uint64_t walk_errors, faults;
    /// Memory that the frozen copy has taken for itself.
    uint64_t own_bytes;
    /// Nanoseconds from the start of the frozen copy to the end of each phase.
    uint64_t walked_at, counted_at, searched_at, ended_at;
} rp_counts;

/// A generic context that was found without a layout for its bindings.
typedef struct rp_unknown_context {
    uintptr_t metadata;
    uintptr_t key;
    uint32_t count;
    uintptr_t bindings[RP_MAX_BINDINGS];
} rp_unknown_context;

/// The memory that parent and copy share. The parent resets the states and counts before each copy. It reads them when
/// the copy has ended; it may read `phase` before.
typedef struct rp_answer {
    uint32_t phase;
    uint32_t state;
    /// The system's error number if the state is `RP_STATE_REFUSED` or `RP_STATE_OUT_OF_MEMORY`; the signal if the
    /// state is `RP_STATE_CRASHED`.
    int32_t error;
    /// The second word of a block that malloc caches for a thread (glibc's tcache); 0 if unknown.
    uintptr_t cache_mark;
    uint32_t unknown_type_count, unknown_types_dropped;
    uint32_t unknown_context_count, unknown_contexts_dropped;
    uint32_t unknown_variable_count, unknown_variables_dropped;
    uint32_t result_count;
    rp_counts counts;
    uintptr_t unknown_types[RP_MAX_UNKNOWN_TYPES];
    rp_unknown_context unknown_contexts[RP_MAX_UNKNOWN_CONTEXTS];
    /// Variables that seem to contain a reference and have no layout yet.
    rp_range unknown_variables[RP_MAX_UNKNOWN_VARIABLES];
    rp_result results[];
} rp_answer;

/// Maps an answer for `target_count` targets; returns NULL if there is too little memory. Free it with
/// `rp_free_answer`.
rp_answer *rp_make_answer(uint32_t target_count);
void rp_free_answer(rp_answer *answer, uint32_t target_count);
/// Returns the phase of the frozen copy, an `rp_phase`.
uint32_t rp_current_phase(const rp_answer *answer);
const uintptr_t *rp_unknown_types(const rp_answer *answer);
const rp_unknown_context *rp_unknown_contexts(const rp_answer *answer);
const rp_range *rp_unknown_variables(const rp_answer *answer);
const uintptr_t *rp_context_bindings(const rp_unknown_context *context);
const rp_result *rp_result_at(const rp_answer *answer, uint32_t index);
const rp_step *rp_steps(const rp_result *result);
const rp_step *rp_holders(const rp_result *result);
const char *rp_key_bytes(const rp_step *step);

// MARK: Functions for the parent

/// Learns the layout of the threads' memory, of libdispatch's variables and of Swift's tasks in this process. Call it
/// on an ordinary thread, whose descriptor and variables it reads.
rp_process_facts rp_learn_process_facts(void);
/// Returns the usable size of a block of malloc.
size_t rp_usable_size(void *block);
/// Whether malloc takes small blocks for the calling thread from an arena, instead of mapping each one.
bool rp_thread_has_arena(void);
/// Returns the kernel's number of the calling thread.
int32_t rp_thread_number(void);
/// Copies the process and runs the search in the copy; the copy never returns from this function. Returns the process
/// id of the copy, or -1 with `errno`.
///
/// `pause` receives the duration of the copying in nanoseconds. The copy sends no signal when it ends; wait for it with
/// `rp_reap`.
int32_t rp_start_snapshot(const rp_request *request, rp_answer *answer, uint64_t *pause);
/// Returns a descriptor that becomes readable when the copy has ended, -1 if the system provides none.
int32_t rp_open_process(int32_t process);
/// Returns the processor time of a copy that has not been reaped, in nanoseconds; 0 if the system does not provide it.
uint64_t rp_processor_time(int32_t process);
/// Reaps an ended copy: returns its process id, 0 while it runs, -1 if there is no such copy.
int32_t rp_reap(int32_t process, bool waits, int32_t *status);
