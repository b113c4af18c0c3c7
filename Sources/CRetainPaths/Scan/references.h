// The references in blocks, objects and variables.
#pragma once

#include "Heap/heap.h"

#include <setjmp.h>

/// The name of a property that holds a value in an enum, an optional or an existential, or the name of the enum's case;
/// and the names around it.
typedef struct rp_outer_name {
    const struct rp_outer_name *around;
    rp_name_index name;
    bool is_case;
} rp_outer_name;

/// The elements that a slice shows of the storage that it holds, which may contain more.
typedef struct rp_slice {
    bool is_known;
    int64_t start, end;
} rp_slice;

/// A reference that a scan has found.
typedef struct rp_edge {
    uint32_t to;
    uint32_t offset;
    /// The part of the block in which the reference lies; see `rp_part`.
    uint32_t position;
    rp_name_index name;
    /// The names around `name`, the innermost first; valid until the visitor returns.
    const rp_outer_name *outer;
    int64_t index;
    uintptr_t code;
    /// In a dictionary or set: the address of the element's key, and the layout of the key.
    uintptr_t key;
    const rp_layout *key_layout;
    /// For the reference of a slice to the storage of its elements.
    rp_slice slice;
    uint8_t kind;
    bool is_precise;
    bool is_in_key;
    /// The reference is the value in an opaque existential, which may contain other values than references.
    bool is_in_existential;
    /// The reference lies in an Unmanaged, so the program may have retained the object manually.
    bool is_unmanaged;
    /// The reference lies behind the fields of the class, in memory that the object may not use.
    bool is_in_tail;
} rp_edge;

enum { RP_WHOLE_BLOCK = UINT32_MAX };

/// A part of a block, so that one reference of a large block can be scanned again alone.
typedef struct rp_part {
    /// 0 for everything that is no element: the fields, or what a scan does not divide; else the number of an element
    /// of a collection or of a word, counted from 1; `RP_WHOLE_BLOCK` for all. The scan of an element includes the
    /// fields. The numbers ascend in the order of the scan.
    uint32_t position;
    /// Whether the header of a ManagedBuffer states which places are in use. A scan of the whole block learns it, which
    /// takes a look at every element, and a scan of a part relies on it.
    bool is_header_believed;
} rp_part;

/// A function that a scan calls for every reference of a block.
typedef void (*rp_visitor)(rp_frozen_copy *frozen, const rp_edge *edge, void *context);

/// The object that is being scanned. An object that is being made or destroyed may contain anything, so that reading it
/// may fault or never end.
typedef struct rp_scan_guard {
    /// The place to continue after a fault while `is_on`.
    jmp_buf after_fault;
    volatile bool is_on;
    /// The number of objects that were scanned, and the type of the current one, from which the watchdog detects an
    /// object that takes too long.
    volatile uint64_t scans;
    volatile uint32_t scanned_type;
} rp_scan_guard;

/// The requesting tasks, followed by the tasks that await them. These tasks live until the answer arrives, and no cycle
/// holds them.
typedef struct rp_tasks {
    uintptr_t *addresses;
    uint32_t first_awaiting, count, capacity;
} rp_tasks;

// scan.c

/// Visits every reference of a block.
void rp_scan_block(rp_frozen_copy *frozen, uint32_t block, rp_visitor visitor, void *context);
/// Visits every reference of a part of a block.
void rp_scan_part(rp_frozen_copy *frozen, uint32_t block, rp_part *part, rp_visitor visitor, void *context);
/// Visits every reference of an object that is not a block of malloc.
void rp_scan_object(
    rp_frozen_copy *frozen, uintptr_t address, uint32_t size, const rp_type *type, rp_visitor visitor, void *context);
/// Visits every reference of a value outside the heap.
void rp_scan_variable(
    rp_frozen_copy *frozen, uintptr_t address, uint32_t size, const rp_layout *layout, rp_visitor visitor,
    void *context);
/// Returns the block to which a word refers if it looks like a reference; else `RP_NO_BLOCK`.
uint32_t rp_referenced_block(const rp_frozen_copy *frozen, uintptr_t word);

// c_blocks.c

/// A closure that one of C's blocks owns, and the function of the block, which calls the closure.
typedef struct rp_c_closure {
    uint32_t context;
    uintptr_t function;
} rp_c_closure;

/// Whether a raw block is one of C's blocks (closures) that was copied to the heap.
bool rp_is_c_block(const rp_frozen_copy *frozen, const rp_block *block);
/// Returns the number of references to one of C's blocks; 0 if it is not counted.
uint32_t rp_count_of_c_block(const rp_block *block);
/// Whether a block is one of C's blocks and owns a closure, which is stored in `closure`.
bool rp_closure_of_c_block(const rp_frozen_copy *frozen, const rp_block *block, rp_c_closure *closure);

// continuations.c

/// Whether a raw block is a continuation of libdispatch: a call that libdispatch is to make.
bool rp_is_continuation(const rp_frozen_copy *frozen, const rp_block *block);

// metadata_memory.c

/// Marks the raw blocks in which the runtime keeps metadata, as far as types are known. They hold no objects, but
/// contain stale words of former blocks.
void rp_skip_metadata(rp_frozen_copy *frozen);

// file_buffers.c

/// Marks the buffers of C's open files as dead, because they hold no objects.
void rp_skip_file_buffers(rp_frozen_copy *frozen);

// run_loops.c

/// Whether a raw block is CoreFoundation's state of a run of a loop, which refers to nothing.
bool rp_is_run_of_loop(const rp_block *block);

// inner_tasks.c

/// Whether there is a task at an address.
bool rp_is_task_at(const rp_frozen_copy *frozen, uintptr_t address);
/// Visits the children of a task that `async let` has placed in the task's memory, and that have not ended.
void rp_visit_inner_children(
    const rp_frozen_copy *frozen, uintptr_t task, void (*visitor)(uintptr_t child, void *context), void *context);

enum { RP_MAX_LOCKED = 256 };

/// The objects with a `Mutex` that a thread has locked. Like an access, the lock says that a function uses the object;
/// the value of a `Mutex` is modified without an access.
typedef struct rp_locked {
    uint32_t count;
    uint32_t blocks[RP_MAX_LOCKED];
    /// The indices of the threads in `rp_request.threads`.
    uint32_t threads[RP_MAX_LOCKED];
} rp_locked;

// accesses.c

enum { RP_UNKNOWN_THREAD = UINT32_MAX };

/// Returns the index of a thread in `rp_request.threads`, or `RP_UNKNOWN_THREAD`.
uint32_t rp_thread_with_id(const rp_frozen_copy *frozen, int32_t id);
/// A function that is called for an access to a block that has begun and not ended. `access` is the address of the
/// runtime's record, which lies on the stack of the accessing function, or in its frame if it is async.
typedef void (*rp_access_visitor)(uintptr_t access, uint32_t block, void *context);
/// Visits the accesses of a list, which begins with the record at an address; 0 for an empty list.
void rp_visit_accesses(const rp_frozen_copy *frozen, uintptr_t access, rp_access_visitor visitor, void *context);
/// Visits the accesses of a task that does not run, and those of its children in its memory.
void rp_visit_accesses_of_task(
    const rp_frozen_copy *frozen, uintptr_t task, rp_access_visitor visitor, void *context);

// task_memory.c

/// Whether an offset in a block lies in memory in which a task keeps the frames of its functions.
bool rp_is_in_frames(const rp_frozen_copy *frozen, uint32_t block, uint32_t offset);
/// Whether a block is a requesting task, or a task that awaits one.
bool rp_is_requesting(const rp_frozen_copy *frozen, uint32_t block);
/// Whether a raw block is a slab: memory in which a task keeps the frames of its functions.
bool rp_is_slab(const rp_frozen_copy *frozen, const rp_block *block);
/// Returns the offset of a task's first slab in the task's block; the block's size if there is no slab.
uint32_t rp_offset_of_first_slab(const rp_frozen_copy *frozen, const rp_block *task);
/// Returns the address of the slab in the memory of a child of `async let`; 0 if there is none.
uintptr_t rp_first_slab_of_child(const rp_frozen_copy *frozen, uintptr_t child);
/// Returns the slab behind the one at an address; `RP_NO_BLOCK` if it is the last.
uint32_t rp_slab_after(const rp_frozen_copy *frozen, uintptr_t slab);
/// Finds the requesting tasks, the tasks that await them, and the memory of their frames.
void rp_find_requesting_tasks(rp_frozen_copy *frozen);

// task_parts.c

/// Whether a block is a task with a result that has not ended yet.
bool rp_is_running_task(rp_frozen_copy *frozen, uint32_t block);
/// Whether a task has a result. False also for a task whose state is not known.
bool rp_has_ended(rp_frozen_copy *frozen, uint32_t block);
/// Returns the function of the closure with which a task began; 0 if it is not known.
uintptr_t rp_function_of_task(rp_frozen_copy *frozen, uint32_t block);
/// Returns the offset in a task's block from which on the memory belongs to the frames of the task's functions.
uint32_t rp_offset_of_frames(rp_frozen_copy *frozen, uint32_t block);
/// Whether a function is one of Swift's concurrency library; false for all functions of a static program.
bool rp_is_of_concurrency_library(const rp_frozen_copy *frozen, uintptr_t function);
/// Whether a task is one with which Task.sleep wakes another task. False for all tasks of a static program.
bool rp_wakes_sleeper(rp_frozen_copy *frozen, uint32_t block);
/// Clears the stale memory behind the words by which sleeping tasks are woken.
void rp_clear_words_of_sleeps(rp_frozen_copy *frozen);

// dispatch_sources.c

/// Clears the unused words of the handlers of libdispatch's sources, which are stale.
void rp_clear_words_of_handlers(rp_frozen_copy *frozen);

// texts.c

/// Clears the unused words behind the labels of libdispatch's queues.
void rp_clear_words_of_labels(rp_frozen_copy *frozen);

// metadata_tables.c

/// Clears the unused words behind the elements of the runtime's tables of metadata.
void rp_clear_words_of_metadata_tables(rp_frozen_copy *frozen);
