// Creation stacks.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LT_STACK_FRAMES = 16 };
typedef struct lt_stack {
    uint32_t count;
    /// Nonzero if the stack exists; the lower 24 bits are 0, which leaves them to the line.
    uint64_t hash;
    uintptr_t addresses[LT_STACK_FRAMES];
} lt_stack;
/// Walks the frame pointers of the calling thread within the bounds of its stack.
void lt_walk_stack(lt_stack *stack);
/// Takes the stack that the last birth on this thread walked, if that birth has just returned a resource that is needed
/// first.
bool lt_take_walked_stack(lt_stack *stack);
/// Forgets that stack.
void lt_drop_walked_stack(void);
