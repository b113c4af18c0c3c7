// The facts about Swift's runtime on which the hooks depend: swift/ABI/Metadata.h, swift/ABI/MetadataValues.h,
// swift/Runtime/HeapObject.h and stdlib/public/SwiftShims/swift/shims/RefCount.h of the Swift project (release 6.3), 64
// bits, without Objective-C. The probe checks the layout of classes and the calls at the start of every program.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// HeapObject: the first word is the metadata.
typedef struct lt_object {
    const struct lt_class *metadata;
    uint64_t counts;
} lt_object;

enum {
    /// RefCount.h: the lowest 32 bits of the counts are a flag and, from bit 1, the number of unowned references. An
    /// object has one to itself, and an object on the stack two, so that its memory is never freed. If the highest bit
    /// is set, the counts are elsewhere.
    LT_COUNTS_UNOWNED_SHIFT = 1,
    LT_COUNTS_ELSEWHERE_SHIFT = 63,
};

/// TargetClassMetadata without Objective-C.
typedef struct lt_class {
    /// MetadataKind: 0 is a class. Closure contexts, boxes, errors and tasks have other kinds.
    uintptr_t kind;
    const struct lt_class *superclass;
    uint32_t flags;
    uint32_t address_point;
    uint32_t instance_size;
    uint16_t alignment_mask;
    uint16_t reserved;
    uint32_t class_size;
    uint32_t class_address_point;
    /// TargetContextDescriptor: constant data of the image that defines the class.
    const uint32_t *descriptor;
} lt_class;

enum {
    LT_KIND_CLASS = 0,
    /// ContextDescriptorKind: the lowest five bits of the first word of a descriptor.
    LT_DESCRIPTOR_KIND_BITS = 0x1f,
    LT_DESCRIPTOR_KIND_MODULE = 0,
    LT_DESCRIPTOR_KIND_CLASS = 16,
    /// TargetContextDescriptor: the words of a descriptor. Each is an offset from its own address.
    LT_DESCRIPTOR_PARENT = 1,
    /// TargetModuleContextDescriptor.
    LT_DESCRIPTOR_MODULE_NAME = 2,
    /// TargetTypeContextDescriptor: the table of fields (swift/RemoteInspection/Records.h, FieldDescriptor).
    LT_DESCRIPTOR_FIELDS = 4,
    /// docs/ABI/Mangling.rst, symbolic references: the offset of a function that returns the metadata follows.
    LT_NAME_BY_ACCESSOR = 9,
};

/// FieldDescriptor, before its records.
typedef struct lt_fields {
    int32_t type_name;
    int32_t superclass;
    uint16_t kind;
    uint16_t record_size;
    uint32_t count;
} lt_fields;
/// FieldRecord.
typedef struct lt_field {
    uint32_t flags;
    /// The offset of a mangled name.
    int32_t type_name;
    int32_t name;
} lt_field;
_Static_assert(sizeof(lt_fields) == 16 && sizeof(lt_field) == 12, "FieldDescriptor, FieldRecord");

// The functions of the runtime that programs call through their tables of addresses. Names and signatures:
// swift/Runtime/HeapObject.h, swift/Runtime/Concurrency.h, stdlib/public/core/ManagedBuffer.swift.

/// swift_allocObject; a size above that of the class is an allocation with a tail.
typedef lt_object *(*lt_alloc_function)(const lt_class *metadata, size_t size, size_t alignment_mask);
/// swift_deallocClassInstance
typedef void (*lt_dealloc_function)(lt_object *object, size_t size, size_t alignment_mask);
/// swift_deallocPartialClassInstance: an initializer has failed before all fields were set. The runtime frees the
/// object itself, not through the program's table.
typedef void (*lt_dealloc_partial_function)(
    lt_object *object, const lt_class *metadata, size_t size, size_t alignment_mask);
/// swift_initStackObject: the optimiser has placed an object on the stack.
typedef lt_object *(*lt_init_stack_function)(const lt_class *metadata, lt_object *object);
/// swift_defaultActor_deallocate and swift_defaultActor_deallocateResilient: as above for actors.
typedef void (*lt_dealloc_actor_function)(lt_object *actor);
/// ManagedBuffer.create(minimumCapacity:makingHeaderWith:), which allocates in the standard library if the program's
/// build does not inline it.
typedef __attribute__((swiftcall)) lt_object *(*lt_create_buffer_function)(
    size_t capacity, void *make_header, void *context, __attribute__((swift_context)) const lt_class *self,
    __attribute__((swift_error_result)) void **error);

/// swift_bufferAllocate: what ManagedBufferPointer's initializers call if the program's build inlines them.
typedef lt_object *(*lt_allocate_buffer_function)(const lt_class *metadata, size_t size, size_t alignment_mask);
/// ManagedBufferPointer's initializers, which allocate in the standard library otherwise. The types are those of the
/// header and of the elements.
typedef __attribute__((swiftcall)) lt_object *(*lt_make_pointer_function)(
    const lt_class *metadata, size_t capacity, void *make_header, void *context, const void *header,
    const void *element, __attribute__((swift_context)) const void *self,
    __attribute__((swift_error_result)) void **error);
typedef __attribute__((swiftcall)) lt_object *(*lt_make_plain_pointer_function)(
    const lt_class *metadata, size_t capacity, const void *header, const void *element);

// Instances of ManagedBuffer's subclasses take their capacity from malloc_usable_size, so they must not be larger than
// the program wants them.
#define LT_MAKE_POINTER \
    "$ss20ManagedBufferPointerV11bufferClass15minimumCapacity16makingHeaderWithAByxq_GyXlXp_SixyXl_SiyXlXEtKXEtKcfC"
#define LT_MAKE_PLAIN_POINTER "$ss20ManagedBufferPointerV11bufferClass15minimumCapacityAByxq_GyXlXp_SitcfC"
#define LT_MAKE_UNCHECKED_POINTER "$ss20ManagedBufferPointerV010_uncheckedB5Class15minimumCapacityAByxq_GyXlXp_SitcfC"
#define LT_CREATE_BUFFER "$ss13ManagedBufferC6create15minimumCapacity16makingHeaderWithAByxq_GSi_xAFKXEtKFZ"
