#ifdef __linux__
#define _GNU_SOURCE

#include "frozen_copy.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// The limits that the system sets for a copy of the process. A copy starts with the same used address space as the
// program. The copy does not need the memory that malloc's arenas have reserved for later, or the guard pages of
// stacks.

/// Raises a soft limit to the hard limit. A lower soft limit is a choice for the program, not for its copy.
static void raise_limit(int resource) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

void rp_raise_limits(void) {
    raise_limit(RLIMIT_AS);
    raise_limit(RLIMIT_DATA);
}

void rp_prefer_for_oom_kill(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t written = write(file, "1000", 4);
    // If the kernel refuses the value, the kernel chooses which process to end.
    (void)written;
    close(file);
}

/// Returns the size of the process in bytes, from /proc/self/statm: "size resident …", in pages; 0 if it cannot be
/// read.
static uint64_t size_of_process(void) {
    char text[64] = {0};
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void unmap_inaccessible_memory(const rp_frozen_copy *frozen) {
    for (uint32_t index = 0; index < frozen->process.mapping_count; index++) {
        const rp_mapping *mapping = frozen->process.mappings + index;
        if (mapping->flags == 0) munmap((void *)mapping->start, mapping->end - mapping->start);
    }
}

void rp_measure_room(rp_frozen_copy *frozen) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    unmap_inaccessible_memory(frozen);
    uint64_t size = size_of_process();
    frozen->memory.room = size < limit.rlim_cur ? limit.rlim_cur - size : 0;
}

#endif
