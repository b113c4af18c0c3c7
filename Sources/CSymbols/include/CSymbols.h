// What symbolising takes that Swift's view of the C library lacks: the loaded objects, dladdr, and the runtime's demangler.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <elf.h>
#endif

#if defined(__linux__) && defined(__LP64__)

/// How many objects the process has loaded and unloaded since it started; while both stay, so does the list.
typedef struct lt_load_counts {
    uint64_t loaded;
    uint64_t unloaded;
} lt_load_counts;

lt_load_counts lt_current_load_counts(void);

/// A loaded object. Nothing that it points to outlives the visit.
typedef struct lt_loaded_object {
    /// What is to be added to the file's virtual addresses.
    uintptr_t bias;
    /// Empty for the program itself.
    const char *_Nonnull path;
    const Elf64_Phdr *_Nullable headers;
    size_t header_count;
} lt_loaded_object;

typedef void (*lt_object_visitor)(const lt_loaded_object *_Nonnull object, void *_Nullable context);

/// Visits each loaded object while the loader's lock is held, so that none is unmapped meanwhile. The visitor must not load
/// or unload anything, nor wait for anybody.
lt_load_counts lt_visit_loaded_objects(lt_object_visitor _Nonnull visitor, void *_Nullable context);

#endif

/// What the loader says of an address.
typedef struct lt_described_address {
    /// The nearest exported symbol; null when there is none. To be freed.
    char *_Nullable name;
    uintptr_t start;
    /// The file that the object was loaded from; null when nobody knows. To be freed.
    char *_Nullable path;
    uintptr_t base;
} lt_described_address;

/// Asks dladdr. `path` is the object's path as the loader knows it, under which it is kept from being unmapped meanwhile; null
/// where that cannot happen. False when the loader knows nothing of the address, or the object has gone.
bool lt_describe_address(
    uintptr_t address, const char *_Nullable path, lt_described_address *_Nonnull described);

/// The readable form of a mangled Swift name, without modules and types of arguments; null when this runtime has no such form, or
/// the name is no Swift name. To be freed.
char *_Nullable lt_demangle_briefly(const char *_Nonnull mangled, size_t length);

/// The full form of a mangled Swift name; null when it is none. To be freed.
char *_Nullable lt_demangle_fully(const char *_Nonnull mangled, size_t length);
