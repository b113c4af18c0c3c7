// The answer of the frozen copy, and the findings in it.
#pragma once

#include "rp_request.h"

// MARK: Findings

enum {
    RP_MAX_STEPS = 64,
    RP_MAX_HOLDERS = 16,
    /// Of each holder: enough for an array in a dictionary in a property.
    RP_MAX_OWNERS = 2,
    RP_KEY_BYTES = 64,
    RP_MAX_NAMES = 12,
    RP_MAX_BINDINGS = 15,
    RP_MAX_STEP_FUNCTIONS = RP_KEY_BYTES / sizeof(uintptr_t),
};

enum rp_node_kind {
    RP_NODE_ROOT_DATA = 1,
    RP_NODE_ROOT_THREAD_LOCAL,
    RP_NODE_ROOT_ANONYMOUS,
    RP_NODE_ROOT_STACK,
    /// A requesting task, and a task that awaits a requesting task.
    RP_NODE_ROOT_TASK,
    RP_NODE_ROOT_AWAITING_TASK,
    /// All roots of the tracer in a program with the agent; in retained sizes only.
    RP_NODE_ROOT_TRACER,
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
    /// The target is of a sample, and was left out because the searches for the others had taken long.
    RP_STATUS_NOT_EXAMINED,
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
    /// If `is_slice`, the next step is the storage of which the step holds a slice, and the slice consists of the
    /// elements from `slice_start` up to but excluding `slice_end`.
    int64_t slice_start, slice_end;
    uint32_t size;
    /// Of the edge's word, from the start of the object.
    uint32_t offset;
    /// The properties in which the edge's word lies, the outermost first: those that hold a value in an enum, an
    /// optional or an existential, then the value's own property. Beyond `RP_MAX_NAMES`, names before the last are left
    /// out.
    rp_name_index names[RP_MAX_NAMES];
    /// For roots on stacks and in thread-local variables: an index into `rp_request.threads`, UINT32_MAX if the thread
    /// is unknown.
    uint32_t thread;
    /// A bit for each of the `names` that is the name of an enum's case.
    uint16_t case_names;
    uint8_t name_count;
    uint8_t node;
    uint8_t edge;
    bool is_precise;
    bool is_slice;
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
    /// The reference is the value in an opaque existential, which may contain other values than references.
    bool is_in_existential;
    uint8_t key_kind;
    uint8_t key_length;
    /// For a task or its memory: whether the next step is in a task-local value. `functions` then contains the address
    /// of the variable with the key of the value, or of the key, or 0.
    bool is_task_local;
    /// For a task, for a task's memory of which the path does not contain the task, and for a root on a stack: the
    /// number of `functions`.
    uint8_t function_count;
    /// For a root on a stack: whether the word lies in the frame of a function that the first of `functions` called and
    /// that has no name here.
    bool is_in_callee;
    /// For a task: whether the next step awaits it, as its parent or because it wants its result.
    bool is_awaited;
    /// For a root on a stack: whether the word is in a register of the thread instead.
    bool is_in_register;
    union {
        /// The UTF-8 of a string, cut after at most 64 bytes, or the 8 bytes of a number.
        char key[RP_KEY_BYTES];
        /// The function in whose frame the task or the stack holds the next step, then the functions that wait for it.
        /// Functions that it has called follow, for a task. On a stack, these are the addresses to which calls return.
        uintptr_t functions[RP_MAX_STEP_FUNCTIONS];
    };
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
    /// target, if the two differ. Not found on the heap: the stack or the task in whose frames the target lies, if any.
    uint32_t step_count;
    /// In a cycle: the step to which the cycle returns, and the step from which it returns. `has_cycle` tells whether
    /// the steps contain a whole cycle.
    uint32_t cycle_start, cycle_end;
    bool has_cycle;
    /// Whether steps or holders were left out.
    bool is_cut;
    /// The step in front of which steps of a very long path were left out; 0 if there is none. The end of the path is
    /// kept, because it tells how the target is held.
    uint32_t gap;
    uint32_t holder_count;
    rp_step steps[RP_MAX_STEPS];
    rp_step holders[RP_MAX_HOLDERS];
    /// For each holder that is the storage of a collection or the context of a closure: what holds it, then what holds
    /// that if it is one of them, too.
    rp_step owners[RP_MAX_HOLDERS][RP_MAX_OWNERS];
    uint8_t owner_counts[RP_MAX_HOLDERS];
} rp_result;

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
    /// The copy was a preview (`rp_request.preview_bytes`) that has not listed all blocks, and no layout is missing.
    RP_STATE_PREVIEWED,
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
    /// The blocks of `rp_request.lines`, of which the targets are a sample.
    uint64_t of_lines;
    /// Errors that the search skipped: walks that ended early, and faults while an object was read.
    uint64_t walk_errors, faults;
    /// The most memory that the frozen copy has taken for itself at a time.
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
const rp_step *rp_owners(const rp_result *result, uint32_t holder);
uint32_t rp_owner_count(const rp_result *result, uint32_t holder);
const char *rp_key_bytes(const rp_step *step);
const uintptr_t *rp_step_functions(const rp_step *step);
const rp_name_index *rp_step_names(const rp_step *step);
