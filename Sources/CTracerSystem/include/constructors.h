// The constructors and destructors of a loaded object: the functions that the loader, or the start code of a static
// program, calls before `main` and at exit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A constructor; destructors are called without arguments.
typedef void lt_constructor(int count, char *_Nullable *_Nullable words, char *_Nullable *_Nullable environment);

typedef enum { LT_CONSTRUCTORS, LT_DESTRUCTORS } lt_constructor_kind;

/// The constructors or destructors of a loaded object.
typedef struct {
    /// Constructors are called in this order, destructors in the reverse order. The caller reads each entry just before
    /// the call.
    lt_constructor *_Nullable *_Nonnull entries;
    size_t count;
    /// The memory of the object that has become read-only when its constructors begin.
    uintptr_t read_only_start, read_only_end;
} lt_constructors;

struct dl_phdr_info;

/// Reads the constructors or destructors of an object, which `dl_iterate_phdr` describes. Returns whether it has any.
bool lt_constructors_of(
    const struct dl_phdr_info *_Nonnull object, lt_constructor_kind kind, lt_constructors *_Nonnull result);

/// Whether an object, which `dl_iterate_phdr` describes, contains an address.
bool lt_object_contains(const struct dl_phdr_info *_Nonnull object, uintptr_t address);

/// Replaces a constructor or destructor. Returns whether that was possible.
bool lt_replace_constructor(
    const lt_constructors *_Nonnull table, size_t index, lt_constructor *_Nonnull constructor);

/// Calls a function now if the Swift runtime has been initialised, else when it has been.
///
/// A library's runtime is initialised before the program. A static standard library is a part of the program and is
/// initialised by constructors of the program, in the order in which the linker met them. Sets and dictionaries that
/// exist before then are broken afterwards, because their hashes have another seed. So in such a program, the function
/// is called after the program's last constructor.
///
/// `caller` is the constructor that calls this function. Only one caller can wait.
void lt_call_with_runtime(void (*_Nonnull body)(void), void (*_Nonnull caller)(void));
