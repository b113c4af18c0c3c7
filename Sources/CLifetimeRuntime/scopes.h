// Looks for the scope of a birth beside other scopes, inline in births.
//
// Only `withCurrent` binds a scope. Inside of a task, the task has it, and its child tasks. Outside of tasks, the
// thread has it during the call. So a thread that runs no task and has opened no scope itself has none.
#pragma once
#include "atomics.h"

/// The scopes that the calling thread has opened around synchronous calls.
extern THREAD_LOCAL uint32_t own_scopes;

// libswift_Concurrency has exported this function since Swift 5.5 (include/swift/Runtime/Concurrency.h). Returns NULL
// outside of tasks.
__attribute__((swiftcall)) extern void *swift_task_getCurrent(void);

/// Returns whether the calling task has a scope, or outside of tasks the calling thread; costs less than `lt_scope`.
static inline __attribute__((always_inline)) bool has_scope(void) {
    return UNLIKELY(swift_task_getCurrent() != NULL) ? lt_scope() != NULL : own_scopes != 0;
}
