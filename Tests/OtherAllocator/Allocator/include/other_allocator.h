#ifndef OTHER_ALLOCATOR_H
#define OTHER_ALLOCATOR_H

#include <stdbool.h>

/// Whether an address is of memory that the allocator of this program has given out.
bool other_allocator_owns(const void *address);

#endif
