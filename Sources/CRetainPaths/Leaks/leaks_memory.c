#define _GNU_SOURCE

#include "CRetainPaths.h"
#include "Process/shared_memory.h"

// The memory for leaks.

rp_leaks *rp_make_leaks(void) {
    return rp_map_shared(sizeof(rp_leaks));
}

void rp_free_leaks(rp_leaks *leaks) {
    munmap(leaks, sizeof(rp_leaks));
}

const rp_leak *rp_leak_at(const rp_leaks *leaks, uint32_t index) {
    return leaks->list + index;
}

const rp_victims *rp_victims_of(const rp_leak *leak) {
    return leak->victims;
}
