// Memory that the program and its copy share, for the results of the copy.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

/// Returns zeroed memory that a copy of the process shares; NULL if there is none. Pages that are never written to cost
/// no memory. `munmap` frees it.
static inline void *rp_map_shared(size_t size) {
    int flags = MAP_SHARED | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}
