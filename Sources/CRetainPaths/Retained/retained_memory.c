#define _GNU_SOURCE

#include "CRetainPaths.h"
#include "Process/shared_memory.h"

// The memory for retained sizes.

rp_retained *rp_make_retained(void) {
    return rp_map_shared(sizeof(rp_retained));
}

void rp_free_retained(rp_retained *retained) {
    munmap(retained, sizeof(rp_retained));
}

const rp_retained_group *rp_retained_groups(const rp_retained *retained) {
    return retained->groups;
}
