// The hooks of allocations: births and deaths of the instances of all classes of a program that was not prepared.
//
// The program calls the Swift runtime through tables of addresses, one in each image (the program itself and its shared
// objects). The hooks replace the addresses of the functions that allocate and free instances of classes. The tables of
// the system's images stay as they are, and so does that of the agent.
//
// A program with a static standard library calls the runtime directly. Such a program must be linked with --wrap, which
// makes its calls lead to functions of this module.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The functions that complete a birth or a death which needs more than counting.
typedef struct lt_every_class_functions {
    /// Returns the handle of an instance that is born.
    uint64_t (*_Nonnull complete_birth)(const void *_Nonnull metatype);
    void (*_Nonnull complete_death)(uint64_t handle);
    /// Returns whether the rules leave a class out.
    bool (*_Nonnull is_left_out)(const void *_Nonnull metatype);
    /// The key of the site of all instances, as births use it.
    uintptr_t site;
    /// Whether the image that contains this code belongs to the program. It does not in the agent.
    bool is_of_program;
} lt_every_class_functions;

/// The metatypes by which the hooks recognise classes.
typedef struct lt_every_class_types {
    /// A subclass of ManagedBuffer, or a specialisation of it.
    const void *_Nonnull managed_buffer;
    /// The class whose subclasses record themselves.
    const void *_Nonnull traced_object;
} lt_every_class_types;

/// Finds the functions of the runtime; returns NULL, or the reason why they cannot be replaced. Must be called first.
const char *_Nullable lt_every_class_find_runtime(lt_every_class_types types);

/// Installs the hooks in all images of the program; returns NULL, or the reason why no hook is installed.
///
/// Other threads may run meanwhile. Must not be called again after a success.
const char *_Nullable lt_every_class_install(lt_every_class_functions functions);

/// Installs the hooks in images that were loaded since the last call, if there are any.
void lt_every_class_look_again(void);

/// The numbers of the hooks.
typedef struct lt_every_class_numbers {
    /// The images of the program with hooks.
    uint64_t images;
    /// The images of the program that could not get hooks; their classes are not traced.
    uint64_t refused_images;
    /// The classes that are traced.
    uint64_t classes;
    /// The instances that the optimiser has placed on the stack.
    uint64_t stack_instances;
    /// The deaths of instances without a recorded birth: older than the hooks, or allocated by an image without hooks.
    uint64_t unknown_deaths;
} lt_every_class_numbers;
lt_every_class_numbers lt_every_class_count(void);

/// What the hooks have seen of one class during a probe.
typedef struct lt_probe {
    const void *_Nullable metatype;
    uint64_t births;
    uint64_t deaths;
    uint64_t stack_instances;
    /// The size that the program asked for at the last birth.
    uint64_t size;
} lt_probe;

/// Installs hooks in the image that contains this code, for the calling thread and instances of one class, which are
/// not recorded; returns whether the hooks could be installed. No other thread may create instances of the class.
///
/// - Parameter has_tail: Whether instances are longer than their class says.
bool lt_probe_begin(const void *_Nonnull metatype, bool has_tail);
/// Removes these hooks.
lt_probe lt_probe_end(void);

/// The facts about a class as the hooks read them.
typedef struct lt_probed_class {
    bool is_class;
    const void *_Nullable superclass;
    uint64_t instance_size;
    uint64_t alignment_mask;
    /// Whether the class is defined in the image that contains this code, and not by Swift's libraries.
    bool is_of_this_image;
    /// Whether the class inherits from ManagedBuffer.
    bool is_buffer;
} lt_probed_class;
lt_probed_class lt_probe_class(const void *_Nonnull metatype);
/// Whether an object that begins at an address carries a trailer.
bool lt_probe_has_trailer(const void *_Nonnull object);
