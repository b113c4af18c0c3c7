// What the agent does to the process before the server starts, in C: it looks at the loaded objects, and it restores
// the environment and the descriptors that the program would have without the agent.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <CTracerSystem.h>

/// Returns the path of a loaded object, other than the agent, that contains the library; null if there is none. For the
/// program itself, the path is empty. The path is valid as long as the object is loaded.
const char *_Nullable lt_agent_other_copy(void);

/// Removes the agent from the list in `LD_PRELOAD`, so that child processes start without the agent. Other entries of
/// the list stay as they are.
void lt_agent_leave_preload_list(void);

/// Removes a variable from the environment.
void lt_agent_remove_variable(const char *_Nonnull name);

/// Removes all variables whose names begin with `LIFETIME_TRACER`.
void lt_agent_remove_variables(void);

/// Occupies the free descriptors with low numbers, so that the server gets higher ones.
///
/// A program sees the numbers of its descriptors: its first file has the number 3, and a file that it opens right after
/// closing standard input has the number 0. Must be followed by `lt_agent_release_low_descriptors`.
void lt_agent_occupy_low_descriptors(void);

/// Frees the descriptors that `lt_agent_occupy_low_descriptors` has occupied.
void lt_agent_release_low_descriptors(void);

/// Restores the flags and modes of floating-point numbers that the thread had before the agent's first constructor.
void lt_agent_restore_floating_point(void);

/// Calls a function when the constructors of the program itself begin, after those of all libraries. Returns whether
/// that is possible: the program must have a constructor, as programs in C and Swift have.
bool lt_agent_call_before_program(void (*_Nonnull body)(void));

/// Leaves out the destructors of the HTTP library, and of the libraries that it brings, if the program needs none of
/// them.
///
/// They free memory that the end of the process frees anyway. A program may call `exit` in a signal handler that has
/// interrupted malloc. C does not allow that, but it works without threads: malloc then takes no locks. With the
/// server's threads, malloc takes locks, and such a destructor would wait forever.
void lt_agent_leave_out_destructors(void);

/// Takes the pages with code of the agent and of its libraries out of the process's memory.
///
/// The start reads most of the agent's pages once, among them those of relocations and of Swift's tables of types. They
/// stay in the system's cache of files, from which a page that is needed again comes back. Only memory that cannot be
/// written is returned, so nothing is lost but a breakpoint in the agent.
void lt_agent_return_code_pages(void);

/// Registers an exit handler, which wakes the thread in `lt_agent_await_exit` and waits for its work for at most the
/// given time. Returns whether that was possible.
///
/// The handler keeps the state of the search in the record, if there is one. It allocates nothing and takes no lock of
/// the program.
bool lt_agent_plan_exit(lt_exit_record *_Nullable record, int64_t milliseconds);

/// Waits until the process calls `exit`, writes what the program's standard output and standard error have in their
/// buffers, if that needs no waiting, and returns the status. The exit handler waits for the output without a limit.
///
/// A stream stays as it is if another thread uses it, also if that thread was interrupted and now waits in `exit`, or
/// if nothing takes the text within a second.
int lt_agent_await_exit(void);

/// Makes sure that descriptors of signals (signalfd) receive none any more, such as those of libdispatch's signal
/// sources. Else a thread of the program that reads from one could take a signal before its handler is called.
void lt_agent_silence_signal_descriptors(void);

/// Lets the exit go on: at once, or after SIGINT or SIGTERM.
void lt_agent_end_exit_work(bool stays_open);
