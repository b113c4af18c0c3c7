#define _GNU_SOURCE

#include "CRetainPaths.h"

#include <sys/mman.h>

// The memory for a census. Pages that are never written to cost no memory.

rp_census *rp_make_census(void) {
    int flags = MAP_SHARED | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void *made = mmap(NULL, sizeof(rp_census), PROT_READ | PROT_WRITE, flags, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

void rp_free_census(rp_census *census) {
    munmap(census, sizeof(rp_census));
}

const rp_census_line *rp_census_lines(const rp_census *census) {
    return census->lines;
}
