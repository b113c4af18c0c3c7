#ifdef __linux__
#define _GNU_SOURCE

#include "frozen_copy.h"

#include <errno.h>
#include <sys/mman.h>

// Memory of the frozen copy itself. It is not malloc's, because malloc's state may be in the middle of a change by
// another thread. The pages without access on both sides keep the kernel from merging the memory with mappings of the
// heap.

/// The number of bytes that become usable at a time. The step is small for small regions, because there are many of
/// them.
static size_t step_of(const rp_region *region) {
    const size_t small = 1 << 14, large = 1 << 18;
    return region->usable < 4 * large ? small : large;
}

static size_t rounded(size_t size, size_t unit) {
    return (size + unit - 1) / unit * unit;
}

_Noreturn void rp_give_up(rp_frozen_copy *frozen, uint32_t state, int32_t error) {
    frozen->answer->error = error;
    frozen->answer->state = state;
    longjmp(frozen->give_up, 1);
}

void rp_reserve(rp_frozen_copy *frozen, rp_region *region, size_t reserve) {
    reserve = rounded(reserve, RP_PAGE);
    // Memory without access counts only against the limit of address space.
    char *start = mmap(NULL, reserve + 2 * RP_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) rp_give_up(frozen, RP_STATE_OUT_OF_MEMORY, errno);
    if (frozen->memory.room != RP_UNLIMITED) {
        size_t taken = reserve + 2 * RP_PAGE;
        frozen->memory.room -= taken < frozen->memory.room ? taken : frozen->memory.room;
    }
    region->start = start + RP_PAGE;
    region->usable = 0;
    region->reserved = reserve;
    rp_step_memory *step = frozen->memory.step;
    if (step && step->count < RP_MOST_REGIONS_OF_A_STEP) step->regions[step->count++] = *region;
}

/// Notes how much of a region of the current step is usable.
static void note_usable(rp_frozen_copy *frozen, const rp_region *region) {
    rp_step_memory *step = frozen->memory.step;
    for (uint32_t index = 0; step && index < step->count; index++) {
        if (step->regions[index].start == region->start) step->regions[index].usable = region->usable;
    }
}

void rp_begin_step(rp_frozen_copy *frozen, rp_step_memory *step) {
    step->count = 0;
    frozen->memory.step = step;
}

void rp_end_step(rp_frozen_copy *frozen) {
    const rp_step_memory *step = frozen->memory.step;
    for (uint32_t index = 0; index < step->count; index++) {
        size_t reserved = step->regions[index].reserved + 2 * RP_PAGE;
        munmap(step->regions[index].start - RP_PAGE, reserved);
        frozen->memory.used -= step->regions[index].usable;
        if (frozen->memory.room != RP_UNLIMITED) frozen->memory.room += reserved;
    }
    frozen->memory.step = NULL;
}

void rp_reserve_at_most(rp_frozen_copy *frozen, rp_region *region, size_t reserve, uint32_t share) {
    uint64_t room = frozen->memory.room;
    if (room != RP_UNLIMITED && reserve > room / share) reserve = room / share;
    rp_reserve(frozen, region, reserve);
}

bool rp_try_grow(rp_frozen_copy *frozen, rp_region *region, size_t size, int32_t *error) {
    *error = 0;
    if (size <= region->usable) return true;
    // `rp_reserve_at_most` may have reserved less than the region needs.
    if (size > region->reserved) {
        *error = ENOMEM;
        return false;
    }
    size_t step = step_of(region);
    size_t usable = rounded(size, region->reserved - region->usable < step ? RP_PAGE : step);
    if (usable > region->reserved) usable = region->reserved;
    size_t more = usable - region->usable;
    uint64_t limit = frozen->request->memory_limit;
    if (more > limit || frozen->memory.used > limit - more) return false;
    if (mprotect(region->start + region->usable, more, PROT_READ | PROT_WRITE) != 0) {
        *error = errno;
        return false;
    }
    frozen->memory.used += more;
    uint64_t *most = &frozen->answer->counts.own_bytes;
    if (frozen->memory.used > *most) *most = frozen->memory.used;
    region->usable = usable;
    note_usable(frozen, region);
    return true;
}

void rp_grow(rp_frozen_copy *frozen, rp_region *region, size_t size) {
    int32_t error;
    if (!rp_try_grow(frozen, region, size, &error)) rp_give_up(frozen, RP_STATE_OUT_OF_MEMORY, error);
}

void *rp_take(rp_frozen_copy *frozen, size_t size) {
    rp_region region;
    if (size == 0) size = 1;
    rp_reserve(frozen, &region, size);
    rp_grow(frozen, &region, size);
    return region.start;
}

#endif
