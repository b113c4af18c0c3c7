// The handles of objects that have no room for one: subclasses of ManagedBuffer, which may use all bytes behind their
// fields, and large objects, behind which no trailer could be looked for.
//
// The hooks of allocations fill the table; the search for retain paths reads it.
#pragma once

#include "lt_handles.h"

/// Remembers the handle of an object that is born; returns the handle of an earlier object at the same address whose
/// death no hook has seen, or 0. Sets `is_kept` to false if memory is short.
lt_handle lt_put_handle(uintptr_t object, lt_handle handle, bool *is_kept);
/// Returns and forgets the handle of an object that dies; 0 if there is none.
lt_handle lt_take_handle(uintptr_t object);
/// Calls a function with each object of the table and its handle.
///
/// For a copy of the process in which no thread changes the table; the thread that did may have been in the middle of a
/// change. Takes no lock.
void lt_visit_handles(void (*visit)(void *context, uintptr_t object, lt_handle handle), void *context);
