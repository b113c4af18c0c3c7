// The probe: hooks in the image of this code for one class at a time, which count and record nothing.
#include "class_kinds.h"
#include "hooks.h"
#include "trailers.h"
#include "wraps.h"

#if defined(__linux__)
// The other threads of the program may run the hooks meanwhile; they only compare their class with the probe's.
static lt_probe probe;
static bool is_buffer;

static bool is_probed(const lt_class *metadata) {
    return metadata == __atomic_load_n(&probe.metatype, __ATOMIC_RELAXED);
}

static lt_object *probe_alloc(const lt_class *metadata, size_t size, size_t alignment_mask) {
    if (!is_probed(metadata)) return lt_real.alloc(metadata, size, alignment_mask);
    probe.births++;
    probe.size = size;
    if (is_buffer || size != metadata->instance_size) return lt_real.alloc(metadata, size, alignment_mask);
    const size_t offset = lt_trailer_offset(size);
    lt_object *object = lt_real.alloc(metadata, offset + sizeof(lt_trailer), alignment_mask);
    write_trailer(object, offset, LT_FIRST_HANDLE + probe.births);
    return object;
}

static bool is_trailer(const lt_trailer *trailer, const lt_object *object) {
    const lt_handle handle = lt_handle_in(*trailer, (uintptr_t)object);
    return handle > LT_FIRST_HANDLE && handle <= LT_FIRST_HANDLE + probe.births;
}

static void die(lt_object *object) {
    const lt_class *metadata = object->metadata;
    if (!is_probed(metadata)) return;
    lt_trailer *trailer = trailer_of(object, metadata);
    if (is_buffer) {
        probe.deaths++;
    } else if (is_trailer(trailer, object)) {
        *trailer = 0;
        probe.deaths++;
    }
}

static void probe_dealloc(lt_object *object, size_t size, size_t alignment_mask) {
    die(object);
    lt_real.dealloc(object, size, alignment_mask);
}

static void probe_dealloc_partial(lt_object *object, const lt_class *metadata, size_t size, size_t alignment_mask) {
    if (object) die(object);
    lt_real.dealloc_partial(object, metadata, size, alignment_mask);
}

static void probe_dealloc_actor(lt_object *actor) {
    die(actor);
    lt_real.dealloc_actor(actor);
}

static lt_object *probe_init_stack(const lt_class *metadata, lt_object *object) {
    if (is_probed(metadata)) probe.stack_instances++;
    return lt_real.init_stack(metadata, object);
}

static __attribute__((swiftcall)) lt_object *probe_create_buffer(
    size_t capacity, void *make_header, void *context, __attribute__((swift_context)) const lt_class *self,
    __attribute__((swift_error_result)) void **error
) {
    lt_object *object = lt_real.create_buffer(capacity, make_header, context, self, error);
    if (!*error && is_probed(object->metadata)) probe.births++;
    return object;
}

static lt_object *probe_allocate_buffer(const lt_class *metadata, size_t size, size_t alignment_mask) {
    if (is_probed(metadata)) probe.births++;
    return lt_real.allocate_buffer(metadata, size, alignment_mask);
}

static __attribute__((swiftcall)) lt_object *probe_make_pointer(
    const lt_class *metadata, size_t capacity, void *make_header, void *context, const void *header,
    const void *element, __attribute__((swift_context)) const void *self,
    __attribute__((swift_error_result)) void **error
) {
    lt_object *object = lt_real.make_pointer(metadata, capacity, make_header, context, header, element, self, error);
    if (!*error && is_probed(metadata)) probe.births++;
    return object;
}

enum { REPLACEMENTS = 8 };

static bool replace(bool restores) {
    const lt_replacement all[REPLACEMENTS] = {
        {"swift_deallocClassInstance", probe_dealloc, lt_real.dealloc, LT_FREES},
        {"swift_deallocPartialClassInstance", probe_dealloc_partial, lt_real.dealloc_partial, LT_FREES},
        {"swift_defaultActor_deallocate", probe_dealloc_actor, lt_real.dealloc_actor, LT_FREES},
        {"swift_allocObject", probe_alloc, lt_real.alloc, LT_ALLOCATES},
        {"swift_initStackObject", probe_init_stack, lt_real.init_stack, LT_ALLOCATES},
        {LT_CREATE_BUFFER, probe_create_buffer, lt_real.create_buffer, LT_ALLOCATES},
        {"swift_bufferAllocate", probe_allocate_buffer, lt_real.allocate_buffer, LT_ALLOCATES},
        {LT_MAKE_POINTER, probe_make_pointer, lt_real.make_pointer, LT_ALLOCATES},
    };
    if (lt_are_calls_wrapped() && lt_wrapped_runtime().alloc == lt_real.alloc) {
        lt_replace_wrapped(all, REPLACEMENTS, restores);
        return true;
    }
    return lt_replace_in_own_image(all, REPLACEMENTS, restores);
}

bool lt_probe_begin(const void *metatype, bool has_tail) {
    if (!lt_real.alloc) return false;
    is_buffer = has_tail;
    probe.births = probe.deaths = probe.stack_instances = probe.size = 0;
    __atomic_store_n(&probe.metatype, metatype, __ATOMIC_RELAXED);
    if (replace(false)) return true;
    replace(true);
    return false;
}

lt_probe lt_probe_end(void) {
    replace(true);
    return probe;
}

lt_probed_class lt_probe_class(const void *metatype) {
    const lt_class *metadata = metatype;
    if (metadata->kind != LT_KIND_CLASS) return (lt_probed_class){.is_class = false};
    const lt_image own = lt_own_image();
    return (lt_probed_class){
        .is_class = true,
        .superclass = metadata->superclass,
        .instance_size = metadata->instance_size,
        .alignment_mask = metadata->alignment_mask,
        .is_of_this_image = lt_is_in_image(&own, metadata->descriptor) && !lt_is_of_swift(metadata)
            && (*metadata->descriptor & LT_DESCRIPTOR_KIND_BITS) == LT_DESCRIPTOR_KIND_CLASS,
        .is_buffer = lt_is_buffer(metadata),
    };
}

bool lt_probe_has_trailer(const void *object) {
    const lt_object *each = object;
    return is_trailer(trailer_of(each, each->metadata), each);
}
#else
bool lt_probe_begin(const void *metatype, bool has_tail) {
    (void)metatype, (void)has_tail;
    return false;
}
lt_probe lt_probe_end(void) { return (lt_probe){0}; }
lt_probed_class lt_probe_class(const void *metatype) {
    (void)metatype;
    return (lt_probed_class){0};
}
bool lt_probe_has_trailer(const void *object) {
    (void)object;
    return false;
}
#endif
