#define _GNU_SOURCE

#include "CRetainPaths.h"

#include <sys/mman.h>

// The memory for leaks. Pages that are never written to cost no memory.

rp_leaks *rp_make_leaks(void) {
    int flags = MAP_SHARED | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void *made = mmap(NULL, sizeof(rp_leaks), PROT_READ | PROT_WRITE, flags, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

void rp_free_leaks(rp_leaks *leaks) {
    munmap(leaks, sizeof(rp_leaks));
}

const rp_leak *rp_leak_at(const rp_leaks *leaks, uint32_t index) {
    return leaks->list + index;
}
