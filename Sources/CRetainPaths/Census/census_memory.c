#define _GNU_SOURCE

#include "CRetainPaths.h"
#include "Process/shared_memory.h"

// The memory for a census.

rp_census *rp_make_census(void) {
    return rp_map_shared(sizeof(rp_census));
}

void rp_free_census(rp_census *census) {
    munmap(census, sizeof(rp_census));
}

const rp_census_line *rp_census_lines(const rp_census *census) {
    return census->lines;
}
