// The layout of Swift's objects and metadata in memory: swift/ABI/Metadata.h, MetadataValues.h, HeapObject.h and
// stdlib/public/SwiftShims/swift/shims/RefCount.h of the Swift project, 64 bits, without Objective-C.
#pragma once

#include <stdint.h>

enum {
    /// HeapObject: the first word is the metadata, the second word is the reference counts.
    RP_OBJECT_COUNTS = 8,
    RP_OBJECT_HEADER = 16,

    /// In front of heap metadata: the function that destroys an object, and the value witness table.
    RP_METADATA_BEFORE = 16,
    RP_METADATA_DESTROY = -16,
    RP_METADATA_WITNESSES = -8,

    /// MetadataKind.def. A class has the kind 0; on systems with Objective-C it has an isa pointer above all kinds.
    RP_KIND_CLASS = 0,
    RP_KIND_FIRST_VALUE = 0x200,
    RP_KIND_FOREIGN_CLASS = 0x203,
    RP_KIND_LAST_VALUE = 0x3ff,
    RP_KIND_CONTEXT = 0x400,
    RP_KIND_GENERIC_BOX = 0x500,
    RP_KIND_ERROR_BOX = 0x501,
    RP_KIND_TASK = 0x502,
    RP_KIND_JOB = 0x503,

    /// TargetClassMetadata without Objective-C.
    RP_CLASS_SUPERCLASS = 8,
    RP_CLASS_INSTANCE_SIZE = 24,
    RP_CLASS_DESCRIPTOR = 40,
    RP_CLASS_SIZE = 56,
    /// TargetContextDescriptor: the lowest five bits of the flags are the kind.
    RP_DESCRIPTOR_KIND_BITS = 0x1f,
    RP_DESCRIPTOR_KIND_CLASS = 16,
    RP_DESCRIPTOR_SIZE = 44,

    /// TargetHeapLocalVariableMetadata: the offset of the first capture, and the descriptor of the captures.
    RP_CONTEXT_CAPTURES = 8,
    RP_CONTEXT_DESCRIPTOR = 16,
    /// TargetGenericBoxHeapMetadata: the offset of the value, and its type.
    RP_BOX_OFFSET = 8,
    RP_BOX_TYPE = 16,
    RP_BOX_SIZE = 24,

    /// __StringStorage: the capacity with the nul behind it, and flags.
    RP_STRING_CAPACITY = 16,

    /// SwiftError without Objective-C: the type and its conformance to Error precede the value.
    RP_ERROR_TYPE = 16,
    RP_ERROR_VALUE = 32,

    /// Opaque existential container: three words for the value or its box, and the value's type.
    RP_EXISTENTIAL_BUFFER = 24,
    RP_EXISTENTIAL_TYPE = 24,
    RP_EXISTENTIAL_SIZE = 32,

    /// TargetValueWitnessTable: the value's size, the flags, and the enum witnesses.
    RP_WITNESSES_VALUE_SIZE = 64,
    RP_WITNESSES_FLAGS = 80,
    RP_WITNESSES_ALIGNMENT_BITS = 0xff,
    RP_WITNESSES_ENUM_TAG = 88,
    RP_WITNESSES_PROJECT = 96,
    RP_WITNESSES_SIZE = 88,
    RP_WITNESSES_SIZE_OF_ENUM = 112,
    /// The value does not fit into the buffer of an existential.
    RP_WITNESS_IS_NOT_INLINE = 0x20000,

    /// ContiguousArrayStorage: count, capacity, and the elements at the next multiple of their alignment.
    RP_ARRAY_COUNT = 16,
    RP_ARRAY_ELEMENTS = 32,
    /// A slice of an array (stdlib/public/core/SliceBuffer.swift): the storage, the address of its first element, the
    /// start, and the end with a flag in the lowest bit.
    RP_SLICE_FIRST_ELEMENT = 8,
    RP_SLICE_START = 16,
    RP_SLICE_END_AND_FLAG = 24,
    RP_SLICE_SIZE = 32,
    /// __RawDictionaryStorage, __RawSetStorage: the binary logarithm of the number of buckets; the addresses of keys
    /// and values; a bitmap of the buckets in use.
    RP_HASH_SCALE = 32,
    RP_HASH_KEYS = 48,
    RP_DICTIONARY_VALUES = 56,
    RP_DICTIONARY_BITMAP = 64,
    RP_SET_BITMAP = 56,

    /// KeyPathBuffer (stdlib/public/core/KeyPath.swift): a word that contains flags and the size of the components in
    /// bytes, then the components.
    RP_KEY_PATH_HEADER = 8,
    RP_KEY_PATH_SIZE_BITS = 0x00ffffff,

    /// StackAllocator::Slab (stdlib/public/runtime/StackAllocator.h): metadata, next slab, capacity, and the number of
    /// bytes in use.
    RP_SLAB_NEXT = 8,
    RP_SLAB_CAPACITY = 16,
    RP_SLAB_USED = 20,
    RP_SLAB_HEADER = 32,

    /// Job and AsyncTask (swift/ABI/Task.h; JobFlags in MetadataValues.h): the next of the tasks that await the same
    /// task, and the flags. Behind an AsyncTask follow the fragments: a child's (its parent and the parent's next
    /// child), a group child's (its group), and the future's.
    RP_JOB_NEXT_WAITING = 16,
    RP_JOB_FLAGS = 32,
    /// The function that runs next, and its frame.
    RP_JOB_FUNCTION = 56,
    RP_TASK_FRAME = 64,
    /// The first access of the task while it does not run (ExclusivityAccessSet in TaskPrivate.h). An Access
    /// (stdlib/public/runtime/Exclusivity.cpp) has the address of the variable, then that of the code, then the next
    /// access, whose lowest bit is the kind: read or modify.
    RP_TASK_ACCESSES = 80,
    RP_ACCESS_TO = 0,
    RP_ACCESS_NEXT = 16,
    RP_ACCESS_KIND_BITS = 1,
    RP_ACCESS_SIZE = 24,
    /// ActiveTaskStatus (TaskPrivate.h), behind the words of the exclusivity checks. The bit says that the task is in
    /// an executor's queue; `RP_JOB_NEXT_WAITING` is then the next job in that queue.
    RP_TASK_STATUS = 96,
    RP_TASK_IS_CANCELLED = 0x100,
    RP_TASK_IS_RUNNING = 0x800,
    RP_TASK_IS_ENQUEUED = 0x1000,
    RP_TASK_IS_COMPLETE = 0x2000,
    RP_TASK_HAS_DEPENDENCY = 0x4000,
    /// The first slab of the task's allocator (StackAllocator.h), behind the status and the last allocation. The
    /// runtime never sets the reserved words of the task, so they may contain the address of another task's slab.
    RP_TASK_FIRST_SLAB = 120,
    /// The first record of the status. A TaskStatusRecord (swift/ABI/TaskStatus.h) has its kind in the lowest bits of
    /// its first word, then the next record.
    RP_TASK_RECORDS = 104,
    RP_RECORD_KIND_BITS = 0xff,
    RP_RECORD_IS_DEPENDENCY = 0,
    RP_RECORD_HAS_CHILDREN = 1,
    RP_RECORD_IS_GROUP = 2,
    RP_RECORD_HANDLES_CANCELLATION = 3,
    RP_RECORD_IS_NAME = 6,
    RP_RECORD_NEXT = 8,
    /// ChildTaskStatusRecord and TaskGroupTaskStatusRecord: the first child; a child's fragment has the next one.
    RP_RECORD_FIRST_CHILD = 16,
    /// TaskNameStatusRecord: the address of the name, which ends with a zero.
    RP_RECORD_NAME = 16,
    /// TaskDependencyStatusRecord (TaskPrivate.h): what the task awaits, and the kind of that.
    RP_DEPENDENCY_ON = 16,
    RP_DEPENDENCY_KIND = 32,
    RP_DEPENDS_ON_TASK = 1,
    RP_DEPENDS_ON_CONTINUATION = 2,
    RP_DEPENDS_ON_GROUP = 3,
    RP_DEPENDS_ON_EXECUTOR = 4,
    RP_RECORD_SIZE = 48,
    /// The number of the task, behind the flags.
    RP_TASK_ID = 36,
    /// AsyncContext: the caller's frame, and the function that resumes there.
    RP_FRAME_FUNCTION = 8,
    RP_FRAME_SIZE = 16,
    RP_TASK_IS_CHILD = 1 << 24,
    RP_TASK_IS_FUTURE = 1 << 25,
    RP_TASK_IS_GROUP_CHILD = 1 << 26,
    RP_TASK_CHILD_FRAGMENT = 16,
    RP_TASK_GROUP_CHILD_FRAGMENT = 8,
    /// FutureFragment: the first awaiting task, with a status in the lowest bits; the result's type; an error; the
    /// result.
    RP_FUTURE_STATUS_BITS = 3,
    RP_FUTURE_IS_RUNNING = 0,
    RP_FUTURE_IS_SUCCESS = 1,
    RP_FUTURE_TYPE = 8,
    RP_FUTURE_ERROR = 16,
    RP_FUTURE_SIZE = 24,
    /// FutureAsyncContextPrefix (Task.cpp), in front of the task's first frame: the address of the result, the
    /// closure's function and context, an error. The task owns the context until it has finished.
    RP_TASK_PREFIX_RESULT = 0,
    RP_TASK_PREFIX_FUNCTION = 8,
    RP_TASK_PREFIX_CONTEXT = 16,
    RP_TASK_PREFIX_SIZE = 32,
    RP_TASK_FRAME_ALIGNMENT = 16,

    /// HeapObjectSideTableEntry: the object, its reference counts, and its weak count.
    RP_SIDE_TABLE_COUNTS = 16,
    RP_SIDE_TABLE_WEAK = 24,
    RP_SIDE_TABLE_SIZE = 32,
};

/// KeyPathBuffer.Header: no component needs to be destroyed.
#define RP_KEY_PATH_IS_TRIVIAL 0x80000000u
/// The address bits of a reference; its other bits may carry other information.
#define RP_ADDRESS_BITS 0x00007FFFFFFFFFF8ull
/// Set in the reference of a String or Array that does not refer to a reference-counted object (StringObject.swift,
/// "isImmortal").
#define RP_IMMORTAL_BIT (1ull << 63)

/// RefCountBitOffsets<8>.
#define RP_COUNTS_DEINITIALIZING (1ull << 32)
#define RP_COUNTS_USE_SLOW (1ull << 63)
#define RP_COUNTS_SIDE_TABLE (3ull << 62)

static inline uint32_t rp_unowned_bits(uint64_t counts) { return counts >> 1 & 0x7fffffff; }
static inline uint32_t rp_strong_extra_bits(uint64_t counts) { return counts >> 33 & 0x3fffffff; }
static inline uintptr_t rp_side_table_of(uint64_t counts) { return (counts & ~RP_COUNTS_SIDE_TABLE) << 3; }

/// The bit of a new object without a side table: its allocation is Swift's own ("pure Swift dealloc").
#define RP_COUNTS_PURE 1ull
/// The low 32 bits of the counts of an object in an image's data, which is never freed: the same bit and an unowned
/// count of one. The compiler chooses the strong count.
#define RP_COUNTS_STATIC_MASK 0xffffffffull
#define RP_COUNTS_STATIC 3ull
enum { RP_MOST_STATIC_COUNTS = 8 };
/// The size of the flag in front of a static object that says that the object has been initialised (the token of
/// swift_initStaticObject, lib/IRGen/GenConstant.cpp).
enum { RP_STATIC_OBJECT_FLAG = 8 };
/// RefCountBits::Immortal: the low 32 bits of a static object's counts after the object's first use.
#define RP_COUNTS_IMMORTAL_BITS 0xffffffffull
