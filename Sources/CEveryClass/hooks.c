// Records births and deaths. Everything else is the runtime's.
#define _GNU_SOURCE
#include "hooks.h"
#include "roomy_stack.h"
#include "tally.h"
#include "trailers.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <errno.h>

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define APART static __attribute__((noinline, cold))

lt_runtime lt_real;
lt_every_class_functions lt_completing;

APART lt_handle complete_birth(uintptr_t metadata, uintptr_t file, intptr_t line) {
    (void)file, (void)line;
    const int error = errno;
    const lt_handle handle = lt_call_with_room(lt_completing.complete_birth, (const void *)metadata);
    errno = error;
    return handle;
}

APART void complete_death(lt_handle handle) {
    const int error = errno;
    lt_completing.complete_death(handle);
    errno = error;
}

INLINE lt_handle lt_record_birth(const lt_class *metadata) {
    return lt_birth((uintptr_t)metadata, lt_completing.site, 0, complete_birth);
}

INLINE void record_death(lt_handle handle) {
    lt_death(handle, complete_death);
}

APART void record_in_table(lt_object *object, const lt_class *metadata) {
    const lt_handle handle = lt_record_birth(metadata);
    bool is_kept = false;
    const lt_handle earlier = lt_put_handle((uintptr_t)object, handle, &is_kept);
    if (earlier) record_death(earlier);
    // The death could not be recorded, so the instance counts as one that has died.
    if (!is_kept) record_death(handle);
}

/// Records an instance with a tail that the standard library has created.
APART void lt_record_made_buffer(lt_object *object) {
    const lt_class *metadata = object->metadata;
    if (metadata->kind != LT_KIND_CLASS) return;
    lt_tracing tracing = lt_known_tracing(metadata);
    if (tracing == LT_UNKNOWN_CLASS) tracing = lt_meet_class(metadata);
    if (tracing == LT_IN_TABLE || tracing == LT_WITH_TRAILER) record_in_table(object, metadata);
}

INLINE lt_object *lt_alloc_with_trailer(const lt_class *metadata, size_t size, size_t alignment_mask) {
    const size_t offset = lt_trailer_offset(size);
    lt_object *object = lt_real.alloc(metadata, offset + sizeof(lt_trailer), alignment_mask);
    const lt_handle handle = lt_record_birth(metadata);
    write_trailer(object, offset, handle);
    return object;
}

APART lt_object *lt_alloc_otherwise(const lt_class *metadata, size_t size, size_t alignment_mask) {
    lt_tracing tracing = lt_known_tracing(metadata);
    if (tracing == LT_UNKNOWN_CLASS) tracing = lt_meet_class(metadata);
    if (tracing == LT_WITH_TRAILER && size == metadata->instance_size) {
        return lt_alloc_with_trailer(metadata, size, alignment_mask);
    }
    lt_object *object = lt_real.alloc(metadata, size, alignment_mask);
    // A large instance, one with a tail of its own, or one that is longer than its class says.
    if (tracing == LT_IN_TABLE || tracing == LT_WITH_TRAILER) record_in_table(object, metadata);
    return object;
}

lt_object *lt_hook_alloc(const lt_class *metadata, size_t size, size_t alignment_mask) {
    if (UNLIKELY(metadata->kind != LT_KIND_CLASS)) return lt_real.alloc(metadata, size, alignment_mask);
    if (LIKELY(lt_known_tracing(metadata) == LT_WITH_TRAILER && size == metadata->instance_size)) {
        return lt_alloc_with_trailer(metadata, size, alignment_mask);
    }
    return lt_alloc_otherwise(metadata, size, alignment_mask);
}

/// Whether an object is certainly not on the stack.
INLINE bool is_on_heap(const lt_object *object) {
    return !(object->counts >> LT_COUNTS_ELSEWHERE_SHIFT) && (uint32_t)object->counts >> LT_COUNTS_UNOWNED_SHIFT == 1;
}

/// The death of an object that has no trailer: one of the table, one on the stack, or one whose birth was not recorded.
APART void die_without_trailer(lt_object *object, const lt_class *metadata) {
    lt_tracing tracing = lt_known_tracing(metadata);
    if (tracing == LT_UNKNOWN_CLASS) tracing = lt_meet_class(metadata);
    if (tracing != LT_IN_TABLE && tracing != LT_WITH_TRAILER) return;
    const lt_handle handle = lt_take_handle((uintptr_t)object);
    if (handle) record_death(handle);
    else if (is_on_heap(object)) lt_tally_add(LT_TALLY_UNKNOWN_DEATHS);
}

INLINE void die(lt_object *object) {
    const lt_class *metadata = object->metadata;
    if (UNLIKELY(metadata->kind != LT_KIND_CLASS)) return;
    if (UNLIKELY(metadata->instance_size > LT_LARGEST_WITH_TRAILER)) {
        die_without_trailer(object, metadata);
        return;
    }
    lt_trailer *trailer = trailer_of(object, metadata);
    const lt_handle handle = can_read_trailer(object, trailer) ? lt_handle_in(*trailer, (uintptr_t)object) : 0;
    if (UNLIKELY(!lt_is_handle(handle))) {
        die_without_trailer(object, metadata);
        return;
    }
    // The memory stays while there are unowned references to the object, or becomes that of another object.
    *trailer = 0;
    record_death(handle);
}

void lt_hook_dealloc(lt_object *object, size_t size, size_t alignment_mask) {
    die(object);
    lt_real.dealloc(object, size, alignment_mask);
}

void lt_hook_dealloc_partial(lt_object *object, const lt_class *metadata, size_t size, size_t alignment_mask) {
    if (object) die(object);
    lt_real.dealloc_partial(object, metadata, size, alignment_mask);
}

void lt_hook_dealloc_actor(lt_object *actor) {
    die(actor);
    lt_real.dealloc_actor(actor);
}

void lt_hook_dealloc_resilient_actor(lt_object *actor) {
    die(actor);
    lt_real.dealloc_resilient_actor(actor);
}

lt_object *lt_hook_init_stack(const lt_class *metadata, lt_object *object) {
    if (metadata->kind == LT_KIND_CLASS) {
        lt_tracing tracing = lt_known_tracing(metadata);
        if (UNLIKELY(tracing == LT_UNKNOWN_CLASS)) tracing = lt_meet_class(metadata);
        if (tracing == LT_WITH_TRAILER || tracing == LT_IN_TABLE) lt_tally_add(LT_TALLY_STACK_INSTANCES);
    }
    return lt_real.init_stack(metadata, object);
}

__attribute__((swiftcall)) lt_object *lt_hook_create_buffer(
    size_t capacity, void *make_header, void *context, __attribute__((swift_context)) const lt_class *self,
    __attribute__((swift_error_result)) void **error
) {
    lt_object *object = lt_real.create_buffer(capacity, make_header, context, self, error);
    if (!*error) lt_record_made_buffer(object);
    return object;
}

lt_object *lt_hook_allocate_buffer(const lt_class *metadata, size_t size, size_t alignment_mask) {
    lt_object *object = lt_real.allocate_buffer(metadata, size, alignment_mask);
    lt_record_made_buffer(object);
    return object;
}

__attribute__((swiftcall)) lt_object *lt_hook_make_pointer(
    const lt_class *metadata, size_t capacity, void *make_header, void *context, const void *header,
    const void *element, __attribute__((swift_context)) const void *self,
    __attribute__((swift_error_result)) void **error
) {
    lt_object *object = lt_real.make_pointer(metadata, capacity, make_header, context, header, element, self, error);
    if (!*error) lt_record_made_buffer(object);
    return object;
}

__attribute__((swiftcall)) lt_object *lt_hook_make_plain_pointer(
    const lt_class *metadata, size_t capacity, const void *header, const void *element
) {
    lt_object *object = lt_real.make_plain_pointer(metadata, capacity, header, element);
    lt_record_made_buffer(object);
    return object;
}

__attribute__((swiftcall)) lt_object *lt_hook_make_unchecked_pointer(
    const lt_class *metadata, size_t capacity, const void *header, const void *element
) {
    lt_object *object = lt_real.make_unchecked_pointer(metadata, capacity, header, element);
    lt_record_made_buffer(object);
    return object;
}

// A program reaches the code of a library that it has loaded itself through dlsym. The call goes on as a jump, because
// dlsym looks at the address to which it returns.
void *lt_hook_dlsym(void *handle, const char *name) {
    lt_every_class_look_again();
    __attribute__((musttail)) return lt_real.dlsym(handle, name);
}
#endif
