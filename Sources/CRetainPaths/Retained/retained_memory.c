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

bool rp_measure_object(rp_retained *retained, uint64_t inverted_address) {
    if (retained->measured_count == RP_MAX_MEASURED_OBJECTS) return false;
    retained->measured[retained->measured_count++] = (rp_measured_object){.inverted_address = inverted_address};
    return true;
}

uint64_t rp_measured_bytes(const rp_retained *retained, uint32_t position) {
    return retained->measured[position].bytes;
}
