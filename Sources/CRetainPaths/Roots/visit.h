// Declarations that the parts of a visit of roots share.
#pragma once

#include "Roots/range_cursor.h"
#include "frozen_copy.h"

typedef struct rp_visit {
    rp_frozen_copy *frozen;
    rp_root_visitor visitor;
    void *context;
    rp_root root;
    /// Whether the visit covers variables of the system, and whether the current image is a library of the system.
    bool wants_system, image_is_of_system;
    /// Whether the current image belongs to the agent.
    bool image_is_of_tracer;
    /// Those of the variables, the excluded ranges and the system's ranges of the request that do not end before the
    /// current word of an image's data.
    rp_range_cursor variables, excluded, system;
} rp_visit;

// roots.c

/// Passes a word to the visitor if it looks like a reference. A closure's function may be in the word before it.
void rp_visit_word(rp_visit *at, uintptr_t address, uintptr_t word, uintptr_t before);

// image_data.c

/// Visits the variables and static objects of images: those of the system, or those of the program and of Swift's
/// libraries.
void rp_visit_data(rp_visit *at, bool wants_system);

// running_blocks.c

/// Visits the words on stacks that refer to one of C's blocks, or to its closure, while a thread is calling the block.
void rp_visit_running_blocks(rp_visit *at);
