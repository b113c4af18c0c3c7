// References from outside the heap.
#pragma once

#include "Scan/references.h"

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
    /// Whether the root is a variable, a thread or a task of the tracer, in a program with the agent.
    bool is_of_tracer;
    /// The distance at which a search starts with this root; less than `RP_BUCKETS`.
    uint8_t distance;
} rp_root;

/// Whether a root is a requesting task or a task that awaits one. The root holds the variables of the task.
static inline bool rp_is_root_of_task(const rp_root *root) {
    return root->node == RP_NODE_ROOT_TASK || root->node == RP_NODE_ROOT_AWAITING_TASK;
}

/// A function that is called for every word outside the heap, or in a static object, that may be a strong reference.
typedef void (*rp_root_visitor)(
    rp_frozen_copy *frozen, const rp_root *root, const rp_edge *edge, void *context);

enum rp_root_kinds {
    RP_NO_ROOTS = 0,
    RP_ROOTS_DATA = 1,
    /// Variables of libraries below Swift's. libdispatch and others keep stale references to finished work, so the
    /// search uses these roots only for targets that no cycle holds.
    RP_ROOTS_SYSTEM = 8,
    RP_ROOTS_THREADS_AND_ANONYMOUS = 2,
    RP_ROOTS_STACKS = 4,
    /// The words on stacks that refer to a C block that the thread is calling.
    RP_ROOTS_RUNNING_BLOCKS = 32,
    /// The registers of threads that wait, once they have been read.
    RP_ROOTS_REGISTERS = 64,
    /// The variables of tasks that await the requesting tasks.
    RP_ROOTS_AWAITING_TASKS = 16,
};

/// A part of a thread's stack, or its thread-local variables.
typedef struct rp_thread_part {
    rp_range range;
    /// The kind of root, an `rp_node_kind`; 0 for memory that is not searched.
    uint8_t node;
    /// Whether the agent has started the thread.
    bool is_of_tracer;
    /// Whether the thread makes the copy.
    bool is_own;
    /// The index of the part's thread in `rp_request.threads`.
    uint32_t thread;
    /// With the thread-local variables: the record of the first access that the thread has not ended; 0 if there is
    /// none.
    uintptr_t first_access;
} rp_thread_part;

enum {
    /// The registers that a function must preserve for its caller, without that of the frame (System V ABI, AMD64,
    /// 3.2.1): rbx, r12, r13, r14, r15.
    RP_KEPT_REGISTERS = 5,
};

/// The registers of a thread that waits.
typedef struct rp_thread_registers {
    /// The index of the thread's stack in `rp_threads.parts`.
    uint64_t part;
    uintptr_t words[RP_KEPT_REGISTERS];
} rp_thread_registers;

typedef struct rp_threads {
    rp_region memory;
    rp_thread_part *parts;
    uint32_t part_count;
    uint32_t register_count;
    /// NULL as long as the registers have not been read.
    rp_thread_registers *registers;
    /// Whether a search for paths currently visits the tracer's own variables and thread.
    bool includes_own;
} rp_threads;

// tracer_code.c

/// Whether the tracer is apart from the program: an agent.
bool rp_has_agent(const rp_frozen_copy *frozen);
/// Whether the copy also searches the tracer's own variables and the thread that makes the copy: to find what is in
/// use, or which blocks only an agent keeps. A search for paths leaves them out.
bool rp_needs_tracer(const rp_frozen_copy *frozen);
/// Whether the current visit covers them.
bool rp_visits_tracer(const rp_frozen_copy *frozen);
/// Whether an address is one of the agent's machine code.
bool rp_is_code_of_tracer(const rp_frozen_copy *frozen, uintptr_t address);
/// Whether memory contains an address of the agent's machine code.
bool rp_names_code_of_tracer(const rp_frozen_copy *frozen, rp_range memory);

// image_data.c

/// Whether an address is in one of some sorted, disjoint ranges.
bool rp_is_in(const rp_range *ranges, uint32_t count, uintptr_t address);

// threads.c

/// Finds the stacks and the thread-local variables of threads, and marks the continuations that libdispatch keeps for
/// reuse.
void rp_find_threads(rp_frozen_copy *frozen);

// thread_registers.c

/// Reads the registers of the program's threads that wait, unless they have been read. Leaves out those whose wait an
/// interruption would end, and all if the kernel does not let the copy trace the program.
void rp_read_thread_registers(rp_frozen_copy *frozen);
/// Returns the registers to which a word belongs; NULL if it is another word.
const rp_thread_registers *rp_registers_with(const rp_frozen_copy *frozen, uintptr_t word);

// stack_frames.c

/// Returns the end of the first frame of a function on a stack; 0 if there is none. Functions of C libraries may have
/// frames below it.
uintptr_t rp_first_frame(const rp_frozen_copy *frozen, rp_range stack);
/// Returns the end of the caller's frame, if a frame on a stack ends at an address; else 0. The address to which the
/// frame's function returns lies in the word behind its end.
uintptr_t rp_caller_frame(const rp_frozen_copy *frozen, rp_range stack, uintptr_t end);

// epoll_frame.c

/// Returns the end of glibc's frame of `epoll_wait` if a thread waits in it and its stack begins with that frame; else
/// the start of the stack. The frame contains the arguments of the call and stale words, but no reference to an object.
/// If libdispatch called the function, returns the end of the stack.
uintptr_t rp_end_of_epoll_frame(const rp_frozen_copy *frozen, const rp_thread *thread, rp_range stack);

// dispatch_groups.c

/// Whether a block is a group of libdispatch to which only instances of DispatchGroup refer. Call it after references
/// have been counted.
bool rp_is_wrapped_group(const rp_frozen_copy *frozen, uint32_t block);
/// Returns the memory that contains libdispatch's functions, and may contain others; NULL if it is not known.
const rp_mapping *rp_code_of_dispatch(const rp_frozen_copy *frozen);
/// Whether the thread on whose stack a word lies may be running a function of libdispatch.
bool rp_may_run_dispatch(const rp_frozen_copy *frozen, uintptr_t word);

// roots.c

/// Claims the images' data, the tracer's memory and the heap, so that they are not searched as anonymous memory. Call
/// it before the first visit.
void rp_prepare_roots(rp_frozen_copy *frozen);
void rp_visit_roots(rp_frozen_copy *frozen, uint32_t kinds, rp_root_visitor visitor, void *context);
/// Visits the accesses of all threads and of all tasks, and the objects with a mutex that a thread has locked. Call it
/// after all objects have been scanned.
void rp_visit_all_accesses(const rp_frozen_copy *frozen, rp_access_visitor visitor, void *context);
/// Visits one of the requesting tasks or the tasks that await them.
void rp_visit_task(rp_frozen_copy *frozen, uint32_t index, rp_root_visitor visitor, void *context);
