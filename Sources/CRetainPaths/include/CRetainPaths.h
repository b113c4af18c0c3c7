// What of the search for retain paths runs in the snapshot: a copy of the process, made by clone(2), in which there is one thread, no
// allocator and no Swift runtime but for the value witnesses of enums. It reads layouts that the parent has compiled, walks the
// heap, follows the strong references, and leaves its answer in memory that both share.
//
// Words: a *block* is a piece of memory that malloc gave out. An *object* is a block that begins with Swift heap metadata. A *layout*
// says where in an object or a value the references are; its *slots* are the single places. An *edge* is a reference from one block
// to another; it is *precise* when a layout says that it is one, *conservative* when a word merely looks like one. A *root* is a
// reference from outside the heap.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSwiftRuntime.h"

// MARK: Layouts, compiled in the parent, read in the snapshot

/// An index into `rp_layouts.layouts`; 0 is none.
typedef uint32_t rp_layout_index;
/// An offset into `rp_layouts.names`; 0 is the empty name. Names are UTF-8, ended by a zero byte.
typedef uint32_t rp_name_index;

enum rp_slot_kind {
    /// One word: a strong reference, possibly nil, possibly with spare bits in use.
    RP_SLOT_STRONG = 1,
    /// One word that is no strong reference: weak, unowned, unmanaged. Nothing is followed.
    RP_SLOT_WEAK,
    RP_SLOT_UNOWNED,
    RP_SLOT_UNMANAGED,
    /// `length` bytes of plain data: may point to raw blocks and tasks, never to objects.
    RP_SLOT_PLAIN,
    /// Two words: code and context of a thick function.
    RP_SLOT_FUNCTION,
    /// An opaque existential: a buffer of three words and the metadata of what is in it.
    RP_SLOT_EXISTENTIAL,
    /// A value of an enum, whose layout `layout` is.
    RP_SLOT_ENUM,
    /// A payload case of an enum's layout, whose payload's layout `layout` is (0: no payload with references).
    RP_SLOT_CASE,
    /// `length` bytes of which nothing is known; to the end of the object when 0.
    RP_SLOT_CONSERVATIVE,
};

typedef struct rp_slot {
    /// From the start of the object or value, bytes.
    uint32_t offset;
    uint32_t length;
    /// As a person writes it, with the properties of inlined structs and tuples: "subs", "position.owner", "pair.1".
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

/// What follows an object's own fields.
enum rp_tail {
    RP_TAIL_NONE = 0,
    /// _ContiguousArrayStorage: `element`.
    RP_TAIL_ARRAY,
    /// _DictionaryStorage: keys `element`, values `value`.
    RP_TAIL_DICTIONARY,
    /// _SetStorage: `element`.
    RP_TAIL_SET,
    /// ManagedBuffer: `element`, in places of which some may not be in use.
    RP_TAIL_MANAGED,
    /// Bytes without references, as of a string.
    RP_TAIL_BYTES,
    /// AnyKeyPath: components, which may keep the arguments of subscripts.
    RP_TAIL_KEY_PATH,
};

enum rp_layout_flags {
    /// The value holds no references (its type is "plain old data").
    RP_LAYOUT_IS_PLAIN = 1,
    /// An enum with more than one payload case: a payload must be projected from a copy.
    RP_LAYOUT_IS_MULTI_PAYLOAD = 2,
    /// The layout has conservative parts, so what it yields is not all precise.
    RP_LAYOUT_IS_PARTLY_CONSERVATIVE = 4,
    /// A context that binds generic parameters: each set of bindings has a layout of its own, found by `rp_context_key`.
    RP_LAYOUT_IS_GENERIC = 8,
    /// A Foundation class whose objects may be larger than their instance size.
    RP_LAYOUT_MAY_BE_LONGER = 16,
    /// A ManagedBuffer whose header has a property of the name `count`.
    RP_LAYOUT_NAMES_COUNT = 32,
};

/// How a dictionary's key can be told.
enum rp_key_kind {
    RP_KEY_NONE = 0,
    /// A String, or a struct of nothing but one (a notification's name).
    RP_KEY_STRING,
    RP_KEY_SIGNED,
    RP_KEY_UNSIGNED,
};

typedef struct rp_layout {
    /// The metadata's address, or the key of a context with bindings.
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
    /// How many words of bindings a generic context has, from its first capture on.
    uint8_t binding_count;
    /// How a value of this layout is told when it is a dictionary's key.
    uint8_t key_kind;
    /// Of a ManagedBuffer: where in the object its header says how many elements there are, which place is the first, and how many
    /// places the ring has; 0 where it does not.
    uint16_t count_offset, start_offset, capacity_offset;
    /// The class whose instances the elements are, where they are references; else 0.
    uintptr_t element_class;
} rp_layout;

/// All layouts, in memory of its own (mapped, not allocated, so that it is no part of the heap). Only the parent writes, only
/// while there is no snapshot; addresses stay.
typedef struct rp_layouts {
    rp_layout *layouts;
    rp_slot *slots;
    char *names;
    /// Layout indices by key, open addressing, 2^table_bits entries; 0 is free.
    uint32_t *table;
    uint32_t layout_count, layout_limit;
    uint32_t slot_count, slot_limit;
    uint32_t name_bytes, name_limit;
    uint32_t table_bits;
    /// What did not fit.
    uint64_t dropped;
} rp_layouts;

/// Maps room for layouts; NULL without memory. Never freed: there is one a process.
rp_layouts *rp_make_layouts(uint32_t layout_limit, uint32_t slot_limit, uint32_t name_limit);
/// The layout of a key; 0 when there is none yet.
rp_layout_index rp_find_layout(const rp_layouts *layouts, uintptr_t key);
/// Adds an empty layout under a key; 0 when there is no room. A key of 0 is entered in no table.
rp_layout_index rp_add_layout(rp_layouts *layouts, uintptr_t key);
/// Adds slots to the end and gives them to a layout, which must have none yet; false when there is no room.
bool rp_set_slots(rp_layouts *layouts, rp_layout_index layout, const rp_slot *slots, uint32_t count);
/// The index of a name, the same for the same name as far as is cheap; 0 when there is no room.
rp_name_index rp_add_name(rp_layouts *layouts, const char *name, size_t length);
/// The key under which the layout of a generic context with these bindings is found.
uintptr_t rp_context_key(const void *metadata, const uintptr_t *bindings, uint32_t count);
/// The key under which the layout of the variable at an address is found. Odd, as no metadata's address is.
static inline uintptr_t rp_variable_key(uintptr_t start) {
    return start | 1;
}

// MARK: What the snapshot finds

enum { RP_MAX_STEPS = 64, RP_MAX_HOLDERS = 16, RP_KEY_BYTES = 64, RP_MAX_BINDINGS = 15 };

enum rp_node_kind {
    RP_NODE_ROOT_DATA = 1,
    RP_NODE_ROOT_THREAD_LOCAL,
    RP_NODE_ROOT_ANONYMOUS,
    RP_NODE_ROOT_STACK,
    /// A task that asks, and one that waits for it.
    RP_NODE_ROOT_TASK,
    RP_NODE_ROOT_WAITING_TASK,
    RP_NODE_OBJECT = 16,
    RP_NODE_CLOSURE,
    RP_NODE_GENERIC_BOX,
    RP_NODE_ERROR_BOX,
    RP_NODE_TASK,
    /// A raw block.
    RP_NODE_BLOCK,
    /// An object that lies in an image's data instead of the heap (the storage of an array literal).
    RP_NODE_STATIC_OBJECT,
};

enum rp_edge_kind {
    RP_EDGE_STRONG = 1,
    /// The context of a function that is stored there; `code` is the function.
    RP_EDGE_FUNCTION,
    /// The box of an existential.
    RP_EDGE_EXISTENTIAL_BOX,
    /// A pointer in plain data to a raw block.
    RP_EDGE_RAW,
    RP_EDGE_CONSERVATIVE,
    /// An unowned reference, which holds nothing and is only counted: never in an answer.
    RP_EDGE_UNOWNED,
};

enum rp_status {
    RP_STATUS_REACHABLE = 1,
    RP_STATUS_CYCLE,
    RP_STATUS_LEAKED_BY_CYCLE,
    RP_STATUS_NO_ROOT_FOUND,
    /// No live object with that handle was found: it has died, or is in memory that was not looked at.
    RP_STATUS_NOT_FOUND,
    /// Its deinit is running.
    RP_STATUS_DEINITIALIZING,
};

/// A node of a path, and the edge that leads from it to the next node.
typedef struct rp_step {
    /// Of the root's word, or of the object or block.
    uintptr_t address;
    /// Of an object; of any other block its first word, by which those of libdispatch and of C are known; 0 for roots.
    uintptr_t metadata;
    /// The function stored beside the context, or 0.
    uintptr_t code;
    /// Of a closure's context that the step before names no function of: one that is stored beside another reference to it, or 0.
    uintptr_t own_code;
    /// In an array, the index; in a dictionary or set, the bucket; -1 where there is none.
    int64_t index;
    uint32_t size;
    /// Of the edge's word in the object.
    uint32_t offset;
    rp_name_index name;
    /// The property that holds the existential or enum in which `name` lies, or 0.
    rp_name_index outer_name;
    /// Index into `rp_answer`'s threads, for roots on stacks.
    uint32_t thread;
    uint8_t node;
    uint8_t edge;
    bool is_precise;
    /// `code` is no code but a word that may be what an object file has of an async function: its symbol will tell.
    bool may_be_async;
    /// Of a variable: more seem to hold the object than it has references, or an unowned reference is not found, so that this may be one
    /// that only knows it.
    bool is_contested;
    /// For holders: whether it is reachable from a root.
    bool is_reached;
    /// In a dictionary: whether the edge is in the key, and how the key is told.
    bool is_in_key;
    uint8_t key_kind;
    uint8_t key_length;
    /// UTF-8 of a string (cut at 64 bytes), or 8 bytes of a number.
    char key[RP_KEY_BYTES];
} rp_step;

typedef struct rp_result {
    uintptr_t address;
    uintptr_t metadata;
    /// Of its block.
    uint32_t size;
    uint32_t status;
    uint32_t strong_count, unowned_count, weak_count;
    /// How many strong references were found, and how many of them precise; direct ones from roots are among them.
    uint32_t found, precise, from_roots;
    /// The target through which alone it is held, as its index + 1; 0 when it is held otherwise.
    uint32_t culprit;
    /// Reachable: from the root, or from a task that nobody else holds, to the target. In a cycle: from the target round to the step that holds the target. Of what a cycle
    /// leaks: round the cycle, then from the step of the cycle that leads out of it, which is told twice, to the target. Where no
    /// root was found: from the unexplained holder to the target, if that is another.
    uint32_t step_count;
    /// In a cycle, the step to which it returns and the one from which it does; `has_cycle` tells whether there is one.
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
    /// Unknown types and contexts that one answer names; more are met in the next round.
    RP_MAX_UNKNOWN_TYPES = 16384,
    RP_MAX_UNKNOWN_CONTEXTS = 2048,
    RP_MAX_UNKNOWN_VARIABLES = 4096,
    /// Targets of one question.
    RP_MAX_TARGETS = 4096,
};

/// Addresses from `start` up to, but without, `end`.
typedef struct rp_range {
    uintptr_t start, end;
} rp_range;

/// A writable part of a loaded object.
typedef struct rp_image_data {
    rp_range range;
    /// Of the C library or its like: what its variables lead to is told only where nothing nearer does.
    bool is_of_system;
    /// Whether some of `rp_request.system` are in it.
    bool has_system_parts;
} rp_image_data;

/// A variable of a library in C that says what is still to be done.
typedef struct rp_pending_work {
    rp_range range;
    /// Whether it only hands work on to other such variables, which tell of it where they know it, too.
    bool is_in_transit;
} rp_pending_work;

typedef struct rp_thread {
    int32_t id;
    /// Where its stack ends while it waits in the kernel; 0 for one that runs.
    uintptr_t stack_pointer;
} rp_thread;

/// What of the structures of the C library, libdispatch and Swift's libraries differs from build to build; learnt by `rp_learn_process_facts`.
typedef struct rp_process_facts {
    /// malloc's mark of cached free blocks, as an earlier copy learnt it (`rp_answer.cache_mark`); 0 when none has.
    uintptr_t cache_mark;
    /// How far below the thread pointer the variables of threads begin.
    uint64_t thread_local_size;
    /// From the thread pointer to the thread's number; 0 when it is not known.
    uint64_t thread_id_offset;
    /// From the thread pointer to libdispatch's variables; 0 when it is not loaded.
    int64_t dispatch_offset;
    /// The first word of the memory that a task's frames are in; 0 when the concurrency library is not loaded.
    uintptr_t task_slab_metadata;
    /// How large a task is, apart from what depends on its kind; 0 when that is not known.
    uint64_t task_size;
    /// Where the runtime has the address of the memory from which it takes that for the next metadata; 0 when it is not known.
    uintptr_t metadata_pool;
} rp_process_facts;

/// All that the snapshot needs from its parent. What the pointers lead to must stay until the process has been copied.
typedef struct rp_request {
    const rp_layouts *layouts;
    const rp_image_data *image_data;
    uint32_t image_data_count;
    /// Parts of these in which nothing is a strong reference; sorted, disjoint.
    uint32_t excluded_count;
    const rp_range *excluded;
    /// Parts in which are variables of C, of libraries that are mostly Swift; sorted, disjoint. They count as those of the system do.
    uint32_t system_count;
    const rp_range *system;
    /// Variables of Swift's whose symbols tell their types; sorted, disjoint. Their layouts are found by `rp_variable_key`.
    uint32_t variable_count;
    const rp_range *variables;
    /// Variables of libraries in C that say what is still to be done, such as libdispatch's timers: they hold it as any variable
    /// does.
    uint32_t pending_count;
    const rp_pending_work *pending;
    /// The class of C's blocks that were copied to the heap; 0 when it is not known.
    uintptr_t heap_block_class;
    /// The writable part of the C library, in which malloc's main arena is.
    rp_range allocator_data;
    /// Memory outside the heap that is the tracer's own.
    const rp_range *own_memory;
    uint32_t own_memory_count;
    /// Blocks of malloc's of which the same is true.
    const rp_range *own_blocks;
    uint32_t own_block_count;
    uint32_t thread_count;
    const rp_thread *threads;
    rp_process_facts facts;
    int32_t process_id;
    /// The thread that copies the process; nothing on its stack counts.
    int32_t own_thread_id;
    /// Inverted bit by bit: the first are addresses of targets, which may be of any block, the others words that targets carry among their
    /// fields.
    const uint64_t *targets;
    uint32_t target_count;
    uint32_t address_count;
    /// The tasks that ask, inverted likewise.
    const uint64_t *asking_tasks;
    uint32_t asking_task_count;
    /// Search even where types are not known yet: what they have is scanned conservatively.
    bool is_last_round;
    /// Bytes that the snapshot may take for itself.
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
    /// The snapshot is at work, or has died.
    RP_STATE_RUNNING = 0,
    RP_STATE_DONE,
    /// There are types without a layout: they are told, and nothing else.
    RP_STATE_NEEDS_LAYOUTS,
    /// The search reached `rp_request.memory_limit` (`error` is 0), or the system refused memory (`error` is its number).
    RP_STATE_OUT_OF_MEMORY,
    /// The heap was being changed when the process was copied; to be tried again.
    RP_STATE_HEAP_IN_FLUX,
    /// The heap is not what glibc's malloc makes.
    RP_STATE_HEAP_UNKNOWN,
    /// malloc's main arena is not where the kernel's brk grows, as where brk was refused.
    RP_STATE_HEAP_ELSEWHERE,
    /// Something that the snapshot needs of the system was refused.
    RP_STATE_REFUSED,
    /// A fault outside what is guarded.
    RP_STATE_CRASHED,
};

typedef struct rp_counts {
    /// Blocks in use, objects among them, and the bytes of all.
    uint64_t blocks, objects, block_bytes;
    /// What was recognised and left out: free blocks that look used, objects whose deinit runs, side tables of weak references.
    uint64_t free_blocks, deinitializing, side_tables;
    uint64_t static_objects, arenas, mapped_blocks, types;
    /// Objects whose references are all explained by layouts.
    uint64_t saturated;
    uint64_t reached;
    /// What went wrong and was passed over: walks that ended early, faults while an object was read.
    uint64_t walk_errors, faults;
    /// Memory that was not looked at, for its size.
    uint64_t skipped_bytes;
    /// What the snapshot took for itself.
    uint64_t own_bytes;
    /// Nanoseconds from the start of the snapshot to the end of each phase.
    uint64_t walked_at, counted_at, searched_at, ended_at;
} rp_counts;

/// A generic context that was found without a layout for its bindings.
typedef struct rp_unknown_context {
    uintptr_t metadata;
    uintptr_t key;
    uint32_t count;
    uintptr_t bindings[RP_MAX_BINDINGS];
} rp_unknown_context;

/// What parent and snapshot share. The parent makes it zero and reads it when the snapshot has ended; `phase` it may read before.
typedef struct rp_answer {
    uint32_t phase;
    uint32_t state;
    /// The system's error number where the state is `RP_STATE_REFUSED` or `RP_STATE_OUT_OF_MEMORY`; the signal where it is
    /// `RP_STATE_CRASHED`.
    int32_t error;
    /// The second word of a block while malloc caches it for its thread (glibc's tcache); 0 when it is not known.
    uintptr_t cache_mark;
    uint32_t unknown_type_count, unknown_types_dropped;
    uint32_t unknown_context_count, unknown_contexts_dropped;
    uint32_t unknown_variable_count, unknown_variables_dropped;
    uint32_t result_count;
    rp_counts counts;
    uintptr_t unknown_types[RP_MAX_UNKNOWN_TYPES];
    rp_unknown_context unknown_contexts[RP_MAX_UNKNOWN_CONTEXTS];
    /// Variables that seem to refer to something, and have no layout yet.
    rp_range unknown_variables[RP_MAX_UNKNOWN_VARIABLES];
    rp_result results[];
} rp_answer;

/// Maps an answer for so many targets; NULL without memory. To be freed with `rp_free_answer`.
rp_answer *rp_make_answer(uint32_t target_count);
void rp_free_answer(rp_answer *answer, uint32_t target_count);
/// How far the snapshot has come, an `rp_phase`.
uint32_t rp_current_phase(const rp_answer *answer);
const uintptr_t *rp_unknown_types(const rp_answer *answer);
const rp_unknown_context *rp_unknown_contexts(const rp_answer *answer);
const rp_range *rp_unknown_variables(const rp_answer *answer);
const uintptr_t *rp_context_bindings(const rp_unknown_context *context);
const rp_result *rp_result_at(const rp_answer *answer, uint32_t index);
const rp_step *rp_steps(const rp_result *result);
const rp_step *rp_holders(const rp_result *result);
const char *rp_key_bytes(const rp_step *step);

// MARK: What the parent calls

/// Learns what malloc, the threads and libdispatch look like here; to be called on an ordinary thread.
rp_process_facts rp_learn_process_facts(void);
/// How much fits into a block of malloc's.
size_t rp_usable_size(void *block);
/// Whether malloc gives the calling thread small blocks out of an arena, and does not map each by itself.
bool rp_thread_has_arena(void);
/// The kernel's number of the calling thread.
int32_t rp_thread_number(void);
/// Copies the process and has the copy search; the copy never returns from this. The copy's number, or -1 with `errno`.
///
/// `pause` is how long the copying took, in nanoseconds. The copy sends no signal when it ends, and is to be waited for with
/// `rp_reap`.
int32_t rp_start_snapshot(const rp_request *request, rp_answer *answer, uint64_t *pause);
/// A descriptor that becomes readable when the copy has ended; -1 where the system has none.
int32_t rp_open_process(int32_t process);
/// How long a copy that has not been taken back has worked, in nanoseconds of processor time; 0 where the system does not tell.
uint64_t rp_processor_time(int32_t process);
/// Takes back an ended copy: its number; 0 while it runs; -1 when there is none.
int32_t rp_reap(int32_t process, bool waits, int32_t *status);
