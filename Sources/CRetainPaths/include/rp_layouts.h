// Layouts, which the parent compiles and the frozen copy reads.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An index into `rp_layouts.layouts`; 0 means no layout.
typedef uint32_t rp_layout_index;
/// An offset into `rp_layouts.names`; 0 is the empty name. Names are UTF-8 and end with a zero byte.
typedef uint32_t rp_name_index;

enum rp_slot_kind {
    /// One word: a strong reference, possibly nil, possibly with its spare bits in use.
    RP_SLOT_STRONG = 1,
    /// One word that is not a strong reference: weak, unowned or unmanaged. The search does not follow it, with one
    /// exception: an unmanaged reference is followed if its object has more strong references than the search has
    /// found. Unowned references are counted.
    RP_SLOT_WEAK,
    RP_SLOT_UNOWNED,
    RP_SLOT_UNMANAGED,
    /// `length` bytes of plain data. They may point to raw blocks and tasks; pointers to other objects are ignored.
    RP_SLOT_PLAIN,
    /// Two words: the code and the context of a thick function.
    RP_SLOT_FUNCTION,
    /// An opaque existential: a buffer of three words, and the metadata of the value in it.
    RP_SLOT_EXISTENTIAL,
    /// A value of an enum. `layout` is the enum's layout.
    RP_SLOT_ENUM,
    /// A payload case in the layout of an enum. `layout` is the payload's layout, 0 for a payload without references.
    RP_SLOT_CASE,
    /// `length` bytes with unknown contents; up to the end of the object if `length` is 0.
    RP_SLOT_CONSERVATIVE,
    /// The four words of a slice of an array, of which the first is a strong reference to the array's elements
    /// (stdlib/public/core/SliceBuffer.swift).
    RP_SLOT_SLICE,
    /// One word: the address of a block of malloc with a value of `layout`. A variable contains it instead of a value
    /// of a resilient type that is larger than three words.
    RP_SLOT_OUTLINED,
    /// One word: the address of a lock of C that takes `length` bytes. The words behind the lock in its block of malloc
    /// are stale.
    RP_SLOT_LOCK,
    /// 4 bytes: the state of a `Mutex`, which is 0, or the number of the thread that has locked it and two flags
    /// (stdlib/public/Synchronization/Mutex/LinuxImpl.swift).
    RP_SLOT_MUTEX,
};

typedef struct rp_slot {
    /// In bytes, from the start of the object or value.
    uint32_t offset;
    uint32_t length;
    /// The property as a person writes it, including the properties of inlined structs and tuples: "subs",
    /// "position.owner", "pair.1".
    rp_name_index name;
    rp_layout_index layout;
    uint8_t kind;
} rp_slot;

enum rp_layout_kind {
    RP_LAYOUT_VALUE = 1,
    RP_LAYOUT_ENUM,
    RP_LAYOUT_CLASS,
    /// A closure's context, or a box of a non-generic variable.
    RP_LAYOUT_CONTEXT,
    RP_LAYOUT_GENERIC_BOX,
    RP_LAYOUT_ERROR_BOX,
    RP_LAYOUT_TASK,
    /// A variable that contains an object of `object_class`, behind the flag that the object has been initialised.
    RP_LAYOUT_STATIC_OBJECT,
};

/// The contents of an object behind its own fields.
enum rp_tail {
    RP_TAIL_NONE = 0,
    /// _ContiguousArrayStorage: values of `element`.
    RP_TAIL_ARRAY,
    /// _DictionaryStorage: keys of `element`, values of `value`.
    RP_TAIL_DICTIONARY,
    /// _SetStorage: values of `element`.
    RP_TAIL_SET,
    /// ManagedBuffer: places for values of `element`, some of which may be unused.
    RP_TAIL_MANAGED,
    /// Bytes without references.
    RP_TAIL_BYTES,
    /// __StringStorage: the text, and behind it the breadcrumbs of a long string.
    RP_TAIL_STRING,
    /// AnyKeyPath: components, which may retain the arguments of subscripts.
    RP_TAIL_KEY_PATH,
    /// A node of a hash tree: children of `child` from the start, and pairs of `element` and `value` from the end
    /// backwards. The header has a bitmap for each of them, at `child_map_offset` and `item_map_offset`.
    RP_TAIL_HASH_NODE,
};

enum rp_layout_flags {
    /// The value holds no references (its type is "plain old data").
    RP_LAYOUT_IS_PLAIN = 1,
    /// An enum with more than one payload case: the payload must be projected from a copy of the value.
    RP_LAYOUT_IS_MULTI_PAYLOAD = 2,
    /// The layout has conservative parts, so not every edge that it yields is precise.
    RP_LAYOUT_IS_PARTLY_CONSERVATIVE = 4,
    /// A context that binds generic parameters. Each set of bindings has its own layout, which is found by
    /// `rp_context_key`.
    RP_LAYOUT_IS_GENERIC = 8,
    /// A class of Foundation, whose objects may be larger than their instance size.
    RP_LAYOUT_MAY_BE_LONGER = 16,
    /// A ManagedBuffer whose header has a property named `count` or `_count`.
    RP_LAYOUT_NAMES_COUNT = 32,
    /// A ManagedBuffer in whose memory its class stores values of other types than the buffer's elements.
    RP_LAYOUT_HAS_OTHER_ELEMENTS = 64,
    /// A ManagedBuffer whose header states a `head` at `start_offset`. In some rings, `head` is the first place in use
    /// and `tail` the one behind the last; in others, it is the other way round.
    RP_LAYOUT_HAS_HEAD = 128,
};

/// How the key of a dictionary's entry is reported.
enum rp_key_kind {
    RP_KEY_NONE = 0,
    /// A String, or a struct whose only property is one (the name of a notification).
    RP_KEY_STRING,
    RP_KEY_SIGNED,
    RP_KEY_UNSIGNED,
};

typedef struct rp_layout {
    /// The address of the metadata, the key of a context with bindings (`rp_context_key`) or of a variable
    /// (`rp_variable_key`), or 0 for a layout that is reached only through other layouts.
    uintptr_t key;
    uint32_t size;
    uint32_t stride;
    uint32_t alignment;
    uint32_t first_slot;
    uint32_t slot_count;
    rp_layout_index element;
    rp_layout_index value;
    uint8_t kind;
    uint8_t tail;
    uint8_t flags;
    /// The number of words of bindings in a generic context, at the offset of its captures.
    uint8_t binding_count;
    /// How a dictionary's key with this layout is reported, an `rp_key_kind`.
    uint8_t key_kind;
    /// For a ManagedBuffer: the offsets in the object at which its header states the number of elements, the place of
    /// the first element, the number of places in the ring, and the `tail`. An offset is 0 if the header does not state
    /// the number.
    uint16_t count_offset, start_offset, capacity_offset, tail_offset;
    /// For a ManagedBuffer: 1 if its elements are optional.
    uint8_t has_optional_elements;
    /// For a node of a hash tree: the layout of a child, and the offsets in the object at which its header states the
    /// children, the items, and the size of the memory for both.
    rp_layout_index child;
    uint16_t child_map_offset, item_map_offset, bytes_offset;
    /// The class of the elements of a ManagedBuffer if they are references, optional or not; else 0.
    uintptr_t element_class;
    /// For a static object: its class.
    uintptr_t object_class;
} rp_layout;

/// All layouts, in a mapping of their own, which is not part of the heap. Only the parent writes to it, and only while
/// no frozen copy runs. Addresses of entries never change.
typedef struct rp_layouts {
    rp_layout *layouts;
    rp_slot *slots;
    char *names;
    /// The indices of layouts by key: a table with open addressing and 2^table_bits entries; 0 is a free entry.
    uint32_t *table;
    uint32_t layout_count, layout_limit;
    uint32_t slot_count, slot_limit;
    uint32_t name_bytes, name_limit;
    uint32_t table_bits;
    /// The number of layouts, sets of slots and names that did not fit.
    uint64_t dropped;
} rp_layouts;

/// Maps memory for layouts; returns NULL if there is too little memory. The memory is never freed: a process has one
/// table.
rp_layouts *rp_make_layouts(uint32_t layout_limit, uint32_t slot_limit, uint32_t name_limit);
/// Returns the layout for a key, 0 if there is none yet.
rp_layout_index rp_find_layout(const rp_layouts *layouts, uintptr_t key);
/// Adds an empty layout under a key; returns 0 if there is no room. A layout with the key 0 is not entered in the
/// table.
rp_layout_index rp_add_layout(rp_layouts *layouts, uintptr_t key);
/// Appends slots and assigns them to a layout, which must have none yet; returns false if there is no room.
bool rp_set_slots(rp_layouts *layouts, rp_layout_index layout, const rp_slot *slots, uint32_t count);
/// Returns the index of a name, 0 if there is no room. The same name usually has the same index: a cache of recent
/// names finds most repetitions.
rp_name_index rp_add_name(rp_layouts *layouts, const char *name, size_t length);
/// Returns the key for the layout of a generic context with these bindings.
uintptr_t rp_context_key(const void *metadata, const uintptr_t *bindings, uint32_t count);
/// Returns the key for the layout of the variable at an address. The key is odd; no address of metadata is.
static inline uintptr_t rp_variable_key(uintptr_t start) {
    return start | 1;
}
