// The question that the parent asks.
#pragma once

#include "rp_census.h"
#include "rp_layouts.h"
#include "rp_leaks.h"
#include "rp_retained.h"
#include "rp_tasks.h"

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
    /// Whether the image belongs to the agent.
    bool is_of_tracer;
} rp_image_data;

/// A variable of a C library that lists pending work.
typedef struct rp_pending_work {
    rp_range range;
    /// Whether the variable only passes work on to other pending variables, which also refer to the work once they have
    /// it.
    bool is_in_transit;
} rp_pending_work;

enum {
    RP_NO_SYSTEM_CALL = -1,
    /// The arguments that are known of a system call.
    RP_KNOWN_ARGUMENTS = 3,
};

typedef struct rp_thread {
    int32_t id;
    /// The number of the system call in which the thread waits, or `RP_NO_SYSTEM_CALL`.
    int32_t system_call;
    /// The first arguments of that call.
    uintptr_t arguments[RP_KNOWN_ARGUMENTS];
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
    /// The offset of libdispatch's thread-local variables from the thread pointer; 0 if unknown.
    int64_t dispatch_offset;
    /// The offset, from the thread pointer, of the runtime's variable with the first access that the thread has not
    /// ended; 0 if unknown.
    int64_t accesses_offset;
    /// The first word of a slab, which is the memory for a task's frames; 0 if unknown.
    uintptr_t task_slab_metadata;
    /// The functions of the runtime that call the first function of a task; 0 if unknown.
    uintptr_t task_starters[2];
    /// The memory of the concurrency library; empty in a static program, which contains the library.
    rp_range concurrency_library;
    /// The size of a task without the fragments that depend on its kind; 0 if unknown.
    uint64_t task_size;
    /// The address of the runtime's variable that points to the free memory for the next metadata; 0 if unknown.
    uintptr_t metadata_pool;
    /// The address of glibc's variable that points to the first of all open files; 0 if unknown.
    uintptr_t open_files;
    /// The first word of libdispatch's groups; 0 if unknown.
    uintptr_t dispatch_group_class;
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
    /// The variables that are the runtime's tables of metadata.
    uint32_t metadata_table_count;
    const rp_range *metadata_tables;
    /// The parts of the image data that contain variables of C in libraries that are mostly Swift, and those of
    /// libdispatch; sorted, disjoint. They are treated like variables of the system.
    uint32_t system_count;
    const rp_range *system;
    /// Variables of Swift whose symbols tell their types; sorted, disjoint. `rp_variable_key` finds their layouts.
    uint32_t variable_count;
    const rp_range *variables;
    /// The parts of the image data that contain variables with symbols of Swift or of its libraries; sorted, disjoint.
    /// The symbol of such a variable tells at least that the variable may hold references.
    uint32_t named_count;
    const rp_range *named;
    /// Variables of C libraries that list pending work, such as libdispatch's timers. They hold the work like any
    /// variable.
    uint32_t pending_count;
    const rp_pending_work *pending;
    /// The class of C's blocks (closures) that were copied to the heap; 0 if unknown.
    uintptr_t heap_block_class;
    /// The writable part of the C library, which contains malloc's main arena.
    rp_range allocator_data;
    /// The machine code of the agent and of its server's library; empty in a program that links the tracer. If there is
    /// an agent, the blocks that only the agent keeps are in the line `RP_LINE_TRACER`.
    const rp_range *tracer_code;
    uint32_t tracer_code_count;
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
    /// The lines whose blocks are the targets; empty if `targets` lists them. If the lines have more than `sample`
    /// blocks, `sample` of them are targets, evenly spread over the heap. There is room for `sample` results.
    const rp_line_key *lines;
    uint32_t line_count;
    uint32_t sample;
    /// The addresses of the requesting tasks, inverted in the same way.
    const uint64_t *requesting_tasks;
    uint32_t requesting_task_count;
    /// Search even if layouts are missing: values without a layout are scanned conservatively.
    bool is_last_round;
    /// If not 0, the copy is a preview: it lists only samples of about this many bytes of each larger part of the heap,
    /// to find types without layouts quickly. It gives an answer only if no part is larger.
    uint64_t preview_bytes;
    /// The number of bytes that the frozen copy may use for itself.
    uint64_t memory_limit;
    /// The size from which the references of a block may be listed, so that they need not be scanned for again; 0 for
    /// the usual size. With UINT32_MAX no references are listed, and each path is walked alone.
    uint32_t large_block_size;
    /// The memory for a census; NULL for a search. A census has no targets.
    rp_census *census;
    /// The memory for leaks; NULL for a search and for a census. A search for leaks has no targets, but room for
    /// `RP_MAX_LEAKS` results.
    rp_leaks *leaks;
    /// The memory for retained sizes, which the first look at the leaks fills; NULL if they are not wanted.
    rp_retained *retained;
    /// The memory for tasks, which a search or the first look at the leaks fills; NULL if they are not wanted.
    rp_task_list *tasks;
} rp_request;
