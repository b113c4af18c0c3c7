// With --wrap=NAME, the linker makes calls of NAME lead to __wrap_NAME, and calls of __real_NAME to NAME.
//
// Without the option, the functions here are never called, and the weak references stay empty.
#include "wraps.h"

#if defined(__linux__)
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden"), used))

__attribute__((weak)) lt_object *__real_swift_allocObject(const lt_class *metadata, size_t size, size_t alignment_mask);
__attribute__((weak)) lt_object *__real_swift_bufferAllocate(
    const lt_class *metadata, size_t size, size_t alignment_mask);
__attribute__((weak)) void __real_swift_deallocClassInstance(lt_object *object, size_t size, size_t alignment_mask);
__attribute__((weak)) void __real_swift_deallocPartialClassInstance(
    lt_object *object, const lt_class *metadata, size_t size, size_t alignment_mask);
__attribute__((weak)) lt_object *__real_swift_initStackObject(const lt_class *metadata, lt_object *object);

enum { ALLOC, ALLOC_BUFFER, DEALLOC, DEALLOC_PARTIAL, INIT_STACK, WRAPS };
static const char *const names[WRAPS] = {
    "swift_allocObject", "swift_bufferAllocate", "swift_deallocClassInstance", "swift_deallocPartialClassInstance",
    "swift_initStackObject"};
/// The hooks; NULL where a call goes to the runtime.
static void *hooks[WRAPS];

static inline void *hook(int call) { return __atomic_load_n(&hooks[call], __ATOMIC_ACQUIRE); }

HIDDEN lt_object *__wrap_swift_allocObject(const lt_class *metadata, size_t size, size_t alignment_mask) {
    const lt_alloc_function alloc = (lt_alloc_function)hook(ALLOC);
    return (alloc ? alloc : __real_swift_allocObject)(metadata, size, alignment_mask);
}

HIDDEN lt_object *__wrap_swift_bufferAllocate(const lt_class *metadata, size_t size, size_t alignment_mask) {
    const lt_allocate_buffer_function alloc = (lt_allocate_buffer_function)hook(ALLOC_BUFFER);
    return (alloc ? alloc : __real_swift_bufferAllocate)(metadata, size, alignment_mask);
}

HIDDEN void __wrap_swift_deallocClassInstance(lt_object *object, size_t size, size_t alignment_mask) {
    const lt_dealloc_function dealloc = (lt_dealloc_function)hook(DEALLOC);
    (dealloc ? dealloc : __real_swift_deallocClassInstance)(object, size, alignment_mask);
}

HIDDEN void __wrap_swift_deallocPartialClassInstance(
    lt_object *object, const lt_class *metadata, size_t size, size_t alignment_mask
) {
    const lt_dealloc_partial_function dealloc = (lt_dealloc_partial_function)hook(DEALLOC_PARTIAL);
    (dealloc ? dealloc : __real_swift_deallocPartialClassInstance)(object, metadata, size, alignment_mask);
}

HIDDEN lt_object *__wrap_swift_initStackObject(const lt_class *metadata, lt_object *object) {
    const lt_init_stack_function init = (lt_init_stack_function)hook(INIT_STACK);
    return (init ? init : __real_swift_initStackObject)(metadata, object);
}

lt_runtime lt_wrapped_runtime(void) {
    return (lt_runtime){
        .alloc = __real_swift_allocObject,
        .allocate_buffer = __real_swift_bufferAllocate,
        .dealloc = __real_swift_deallocClassInstance,
        .dealloc_partial = __real_swift_deallocPartialClassInstance,
        .init_stack = __real_swift_initStackObject,
    };
}

bool lt_are_calls_wrapped(void) {
    const lt_runtime found = lt_wrapped_runtime();
    return found.alloc && found.allocate_buffer && found.dealloc && found.dealloc_partial && found.init_stack;
}

void lt_replace_wrapped(const lt_replacement *replacements, size_t count, bool restores) {
    for (lt_purpose purpose = LT_FREES; purpose <= LT_ALLOCATES; purpose++) {
        for (size_t index = 0; index < count; index++) {
            const lt_replacement *each = &replacements[index];
            for (int call = 0; call < WRAPS; call++) {
                if (each->purpose != purpose || strcmp(each->name, names[call]) != 0) continue;
                __atomic_store_n(&hooks[call], restores ? NULL : each->hook, __ATOMIC_RELEASE);
            }
        }
    }
}
#endif
