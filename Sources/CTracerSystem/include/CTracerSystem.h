// Calls of the system that Swift's import of the C library lacks, because they are GNU or POSIX 2024 extensions, or
// variadic.
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

#include "constructors.h"
#include "exit_record.h"
#include "run_interface.h"
#include "supervision.h"

/// Accepts a connection whose socket does not block and is not inherited by programs that the host starts.
///
/// Returns the socket, or -1 with `errno` set. Atomic on Linux: another thread cannot fork between the call and the
/// flag.
int lt_accept(int listener, struct sockaddr *_Nonnull address, socklen_t *_Nonnull length);

/// Returns the value of an environment variable; null if the variable is not set, or if the program has more rights
/// than its caller. The value is valid until the variable changes.
const char *_Nullable lt_environment_of_caller(const char *_Nonnull name);

/// Returns the last part of the path by which the program was started, as the C library noted it.
///
/// `CommandLine.arguments` would do, but is computed once: the program would no longer see what it changes in its
/// arguments before it reads them, as the interpreter does for a script.
const char *_Nonnull lt_program_name(void);

/// Names the calling thread. Linux keeps the first 15 bytes.
void lt_name_thread(const char *_Nonnull name);

/// Clears the 8 KiB of the stack below the caller's frame.
///
/// The frames of the next calls have unused words there, in which former calls, or the thread that had the stack
/// before, have left addresses. For as long as such a frame exists, an address would look like a reference.
void lt_clear_stack(void);

/// Keeps LeakSanitizer, if the program contains it, from checking what the calling thread allocates from now on.
///
/// Enums of Swift keep their case in unused bits of a pointer. LeakSanitizer does not recognise such a pointer, so it
/// calls the objects behind it leaked. Calls nest.
void lt_begin_unchecked_allocations(void);
/// Balances `lt_begin_unchecked_allocations` on the same thread.
void lt_end_unchecked_allocations(void);

/// Lets the threads that start from now on allocate from one part of the heap, if the C library can. Returns whether it
/// can.
bool lt_share_heap_among_threads(void);

/// Tells the library's constructor, which starts a server from the environment, to do nothing. Called by the agent,
/// which starts the server itself.
void lt_leave_start_to_agent(void);

/// Whether `lt_leave_start_to_agent` has been called.
bool lt_start_is_left_to_agent(void);

/// Whether a file gives capabilities to the process that executes it.
bool lt_has_capabilities(const char *_Nonnull path);
