// The functions for symbolising that Swift's view of the C library lacks: the loaded objects, dladdr, and the runtime's
// demangler.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <elf.h>
#endif

#if defined(__linux__) && defined(__LP64__)

/// The number of objects that the process has loaded and unloaded since its start; while both are unchanged, so is the
/// list of objects.
typedef struct lt_load_counts {
    uint64_t loaded;
    uint64_t unloaded;
} lt_load_counts;

lt_load_counts lt_current_load_counts(void);

/// A loaded object. No pointer in it is valid after the visit.
typedef struct lt_loaded_object {
    /// The difference between addresses in the process and virtual addresses of the file.
    uintptr_t bias;
    /// Empty for the program itself.
    const char *_Nonnull path;
    const Elf64_Phdr *_Nullable headers;
    size_t header_count;
} lt_loaded_object;

typedef void (*lt_object_visitor)(const lt_loaded_object *_Nonnull object, void *_Nullable context);

/// Visits each loaded object while the loader's lock is held, so that none is unmapped meanwhile. The visitor must not
/// load or unload objects, and must not wait for other threads.
lt_load_counts lt_visit_loaded_objects(lt_object_visitor _Nonnull visitor, void *_Nullable context);

#endif

/// The loader's description of an address.
typedef struct lt_described_address {
    /// The nearest exported symbol; null if there is none. The caller must free it.
    char *_Nullable name;
    uintptr_t start;
    /// The file from which the object was loaded; null if unknown. The caller must free it.
    char *_Nullable path;
    uintptr_t base;
} lt_described_address;

/// Calls dladdr. `path` is the object's path as the loader knows it, by which the object is kept mapped meanwhile; null
/// if the object cannot be unmapped. Returns false if the loader does not know the address, or the object was unloaded.
bool lt_describe_address(
    uintptr_t address, const char *_Nullable path, lt_described_address *_Nonnull described);

/// Returns the readable form of a mangled Swift name, without modules and argument types. Returns null if this runtime
/// has no such form or the name is not a Swift name. The caller must free the result.
char *_Nullable lt_demangle_briefly(const char *_Nonnull mangled, size_t length);

/// Returns the full form of a mangled Swift name; null if the name is not one. The caller must free the result.
char *_Nullable lt_demangle_fully(const char *_Nonnull mangled, size_t length);
