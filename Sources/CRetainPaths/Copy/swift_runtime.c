#include "CSwiftRuntime.h"

#define SWIFT_CONVENTION __attribute__((swiftcall))

// libswiftCore has exported these functions since Swift 5.0 and 5.5. Compiled programs call them, so they stay.
SWIFT_CONVENTION extern const void *swift_getTypeByMangledNameInContext(
    const char *name, size_t length, const void *context, const void *const *arguments);
SWIFT_CONVENTION extern const void *swift_getTypeByMangledNameInEnvironment(
    const char *name, size_t length, const void *environment, const void *const *arguments);

// The same holds for these functions of libswift_Concurrency since Swift 5.5. They allocate the frames of async
// functions (stdlib/public/Concurrency/TaskAlloc.cpp).
SWIFT_CONVENTION extern void *swift_task_alloc(size_t size);
SWIFT_CONVENTION extern void swift_task_dealloc(void *frame);

const void *rp_type_in_context(
    const char *name, size_t length, const void *context, const void *const *arguments) {
    return swift_getTypeByMangledNameInContext(name, length, context, arguments);
}

const void *rp_type_in_environment(
    const char *name, size_t length, const void *environment, const void *const *arguments) {
    return swift_getTypeByMangledNameInEnvironment(name, length, environment, arguments);
}

void *rp_allocate_frame(size_t size) { return swift_task_alloc(size); }

void rp_free_frame(void *frame) { swift_task_dealloc(frame); }
