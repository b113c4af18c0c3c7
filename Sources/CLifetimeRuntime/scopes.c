// Scopes: a task-local value of the tracer names the registry of births in a task.
#include "library_note.h"
#include "clock.h"
#include "contexts.h"
#include "scopes.h"

// libswift_Concurrency has exported this function since Swift 5.5 (swift_task_localValueGet in
// include/swift/Runtime/Concurrency.h). Compiled programs call it, so it stays. It returns the address of the value, or
// NULL if neither the task nor, outside of tasks, the thread has one.
__attribute__((swiftcall)) extern void *const *swift_task_localValueGet(const void *key);

// The TaskLocal object, which is the key of its values; set before the first scope exists.
static const void *scope_key;

void lt_set_scope_key(const void *key) { STORE_RELEASE(&scope_key, key); }

THREAD_LOCAL uint32_t own_scopes;

void lt_begin_own_scope(void) { own_scopes++; }
void lt_end_own_scope(void) { own_scopes--; }

const void *lt_scope(void) {
    const void *key = LOAD_ACQUIRE(&scope_key);
    if (UNLIKELY(!key)) return NULL;
    // The value is an optional reference, so it is one word, which is 0 for nil.
    void *const *value = swift_task_localValueGet(key);
    return value ? *value : NULL;
}

lt_handle lt_birth_in_scope(lt_registry *registry, uintptr_t metatype, uintptr_t file, intptr_t line) {
    bool is_usual = registry->is_scoped && !registry->has_own_clock && !registry->has_stacks;
    if (!is_usual || lt_mode() & LT_MODE_OFF) return LT_NEEDS_CONTEXT;
    const lt_context *context = find_context(registry, (const void *)metatype, (const void *)file, (uint64_t)line);
    if (!context || context->type == LT_NO_TYPE) return LT_NEEDS_CONTEXT;
    lt_handle handle = lt_birth_in(context, read_ticks() >> TIME_SHIFT);
    // The scope keeps the registry alive until the instance does, too.
    if (LIKELY(handle >= LT_FIRST_TYPE)) lt_join_holders(registry);
    return handle;
}
