// What kind of class a class is, by its descriptor and those of its superclasses.
#pragma once

#include "class_layout.h"
#include "include/CEveryClass.h"

/// Keeps the types by which classes are recognised.
void lt_set_known_types(lt_every_class_types types);
/// Whether a class inherits from ManagedBuffer.
bool lt_is_buffer(const lt_class *metadata);
/// Whether the births and deaths of a class's instances are recorded without the hooks: subclasses of TracedObject, and
/// classes that store a LifetimeToken under the name that the protocol Traced requires.
bool lt_records_itself(const lt_class *metadata);
/// Whether a class belongs to the tracer, which may be a part of the program.
bool lt_is_of_tracer(const lt_class *metadata);
/// Whether a class belongs to the libraries of Swift, which may be a part of the program.
bool lt_is_of_swift(const lt_class *metadata);
/// The address of ManagedBuffer's descriptor, which lies in the standard library.
const void *lt_address_in_standard_library(void);
