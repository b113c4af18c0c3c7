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

#include "CSwiftRuntime.h"
#include "rp_answer.h"
#include "rp_census.h"
#include "rp_layouts.h"
#include "rp_leaks.h"
#include "rp_request.h"
#include "rp_retained.h"
#include "rp_tasks.h"

// Functions for the parent.

/// Learns the layout of the threads' memory, of libdispatch's variables and of Swift's tasks in this process. Call it
/// on an ordinary thread, whose descriptor and variables it reads.
rp_process_facts rp_learn_process_facts(void);
/// Searches the variables of a new thread for those of libdispatch, which begin with the thread's number. Returns their
/// offset from the thread pointer; 0 if libdispatch is not linked, or if the thread cannot be started.
int64_t rp_find_dispatch_variables(uint64_t thread_local_size);
/// Returns the first function malloc of glibc's first version, for which programs on x86-64 ask; NULL if there is none.
/// glibc's libc_malloc_debug, which has an allocator of its own when it checks the heap, has no other.
void *rp_versioned_malloc(void);
/// Returns the usable size of a block of malloc.
size_t rp_usable_size(void *block);
/// Whether malloc takes small blocks for the calling thread from an arena, instead of mapping each one.
bool rp_thread_has_arena(void);
/// Returns the kernel's number of the calling thread.
int32_t rp_thread_number(void);
/// Clears the free blocks that malloc hands out next on the calling thread for a task and for the frames of its
/// functions.
void rp_clear_free_task_blocks(void);
/// States that the image with a variable is the agent.
void rp_declare_agent(const void *variable);
/// Returns the address of the variable; 0 in a program without the agent.
uintptr_t rp_variable_of_agent(void);
/// Clears 128 KiB of the calling thread's stack below the caller's frame.
void rp_clear_stack(void);
/// Copies the process and runs the search in the copy; the copy never returns from this function. Returns the process
/// id of the copy, or -1 with `errno`.
///
/// `pause` receives the duration of the copying in nanoseconds. The copy sends no signal when it ends; wait for it with
/// `rp_reap`.
int32_t rp_start_frozen_copy(const rp_request *request, rp_answer *answer, uint64_t *pause);
/// Returns a descriptor that becomes readable when the copy has ended, -1 if the system provides none.
int32_t rp_open_process(int32_t process);
/// Returns the processor time of a copy that has not been reaped, in nanoseconds; 0 if the system does not provide it.
uint64_t rp_processor_time(int32_t process);
/// Reaps an ended copy: returns its process id, 0 while it runs, -1 if there is no such copy.
int32_t rp_reap(int32_t process, bool waits, int32_t *status);
