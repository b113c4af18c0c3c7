// The functions that take the place of the runtime's in the program's tables of addresses.
#pragma once

#include "class_layout.h"
#include "class_table.h"

/// The runtime's functions.
typedef struct lt_runtime {
    lt_alloc_function alloc;
    lt_dealloc_function dealloc;
    lt_dealloc_partial_function dealloc_partial;
    lt_init_stack_function init_stack;
    lt_dealloc_actor_function dealloc_actor, dealloc_resilient_actor;
    lt_create_buffer_function create_buffer;
    lt_allocate_buffer_function allocate_buffer;
    lt_make_pointer_function make_pointer;
    lt_make_plain_pointer_function make_plain_pointer, make_unchecked_pointer;
    /// The loader's.
    void *(*dlsym)(void *handle, const char *name);
} lt_runtime;
extern lt_runtime lt_real;
/// The functions that complete births and deaths.
extern lt_every_class_functions lt_completing;

lt_object *lt_hook_alloc(const lt_class *metadata, size_t size, size_t alignment_mask);
void lt_hook_dealloc(lt_object *object, size_t size, size_t alignment_mask);
void lt_hook_dealloc_partial(lt_object *object, const lt_class *metadata, size_t size, size_t alignment_mask);
lt_object *lt_hook_init_stack(const lt_class *metadata, lt_object *object);
void lt_hook_dealloc_actor(lt_object *actor);
void lt_hook_dealloc_resilient_actor(lt_object *actor);
__attribute__((swiftcall)) lt_object *lt_hook_create_buffer(
    size_t capacity, void *make_header, void *context, __attribute__((swift_context)) const lt_class *self,
    __attribute__((swift_error_result)) void **error);
lt_object *lt_hook_allocate_buffer(const lt_class *metadata, size_t size, size_t alignment_mask);
__attribute__((swiftcall)) lt_object *lt_hook_make_pointer(
    const lt_class *metadata, size_t capacity, void *make_header, void *context, const void *header,
    const void *element, __attribute__((swift_context)) const void *self,
    __attribute__((swift_error_result)) void **error);
__attribute__((swiftcall)) lt_object *lt_hook_make_plain_pointer(
    const lt_class *metadata, size_t capacity, const void *header, const void *element);
__attribute__((swiftcall)) lt_object *lt_hook_make_unchecked_pointer(
    const lt_class *metadata, size_t capacity, const void *header, const void *element);
void *lt_hook_dlsym(void *handle, const char *name);

/// Looks at a class that the hooks meet for the first time, and returns how it is traced.
lt_tracing lt_meet_class(const lt_class *metadata);
