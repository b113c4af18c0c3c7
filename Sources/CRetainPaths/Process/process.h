// The memory of the frozen copy, and the memory map of the process.
#pragma once

#include "CRetainPaths.h"

#include <string.h>

typedef struct rp_frozen_copy rp_frozen_copy;

// MARK: The frozen copy's own memory

/// Memory that grows at its end and never moves: its address space is reserved at once, and its pages become usable
/// when they are needed.
typedef struct rp_region {
    char *start;
    size_t usable, reserved;
} rp_region;

typedef struct rp_memory {
    uint64_t used;
    /// The bytes of address space that remain below the limit of the process; `RP_UNLIMITED` without a limit.
    uint64_t room;
    /// The memory to give back at the end of a step; NULL outside of such a step.
    struct rp_step_memory *step;
} rp_memory;

enum { RP_MOST_REGIONS_OF_A_STEP = 64 };

/// The memory that is reserved during a step.
typedef struct rp_step_memory {
    rp_region regions[RP_MOST_REGIONS_OF_A_STEP];
    uint32_t count;
} rp_step_memory;

// arena.c

enum : uint64_t { RP_UNLIMITED = UINT64_MAX };

/// Reserves address space for `reserve` bytes, between two pages without access.
void rp_reserve(rp_frozen_copy *frozen, rp_region *region, size_t reserve);
/// Does the same for a region that rarely needs that much. If address space is limited, reserves at most one `share`th
/// of the remaining space.
void rp_reserve_at_most(rp_frozen_copy *frozen, rp_region *region, size_t reserve, uint32_t share);
/// Makes the first `size` bytes usable; new bytes are zero. Gives up the search if the limit does not allow it.
void rp_grow(rp_frozen_copy *frozen, rp_region *region, size_t size);
/// Does the same, but returns false with the errno of a refusal, or with 0 at the limit of the request.
bool rp_try_grow(rp_frozen_copy *frozen, rp_region *region, size_t size, int32_t *error);
/// Returns `size` bytes of zeroed memory that stay until the frozen copy ends.
void *rp_take(rp_frozen_copy *frozen, size_t size);
/// Begins a step after which the memory that it reserves is not needed any more.
void rp_begin_step(rp_frozen_copy *frozen, rp_step_memory *step);
/// Gives back the memory that was reserved since the step began.
void rp_end_step(rp_frozen_copy *frozen);
/// Gives up the search with a state and an error number.
_Noreturn void rp_give_up(rp_frozen_copy *frozen, uint32_t state, int32_t error);

// limits.c

/// Raises the copy's soft limits of memory to the hard limits.
void rp_raise_limits(void);
/// Makes the kernel end the copy first if memory runs out, instead of the program, which is larger.
void rp_prefer_for_oom_kill(void);
/// Measures the remaining address space. If address space is limited, first unmaps memory without access. Call it after
/// the mappings are listed.
void rp_measure_room(rp_frozen_copy *frozen);

// MARK: The memory map

enum { RP_PAGE = 4096 };

enum rp_mapping_flags {
    RP_MAPPING_READABLE = 1,
    RP_MAPPING_WRITABLE = 2,
    RP_MAPPING_EXECUTABLE = 4,
    /// The mapping is of a file, or shared.
    RP_MAPPING_OF_FILE = 8,
    RP_MAPPING_IS_HEAP = 16,
    RP_MAPPING_IS_STACK = 32,
    /// The mapping belongs to the kernel: [vdso], [vvar] and the like.
    RP_MAPPING_OF_KERNEL = 64,
};

typedef struct rp_mapping {
    uintptr_t start, end;
    uint32_t flags;
} rp_mapping;

typedef struct rp_process {
    rp_mapping *mappings;
    uint32_t mapping_count;
} rp_process;

/// The part of /proc/self/pagemap that was read last.
typedef struct rp_page_map {
    int file;
    uint64_t *window;
    uintptr_t window_start, window_end;
} rp_page_map;

/// Memory outside the heap that is not searched as anonymous memory: memory of the frozen copy, the tracer, threads and
/// images, and the heap's own parts; sorted.
typedef struct rp_claims {
    rp_region memory;
    rp_range *ranges;
    uint32_t count;
} rp_claims;

// process_map.c

void rp_read_mappings(rp_frozen_copy *frozen);
/// Returns the mapping that contains an address; NULL if there is none.
const rp_mapping *rp_mapping_at(const rp_frozen_copy *frozen, uintptr_t address);
bool rp_is_readable(const rp_frozen_copy *frozen, uintptr_t address, size_t size);
bool rp_is_code(const rp_frozen_copy *frozen, uintptr_t address);
/// Whether a word in front of a context may be its function: the address of code, or of an async function's descriptor
/// in an ELF file.
bool rp_may_be_function(const rp_frozen_copy *frozen, uintptr_t word);

// claims.c

/// Excludes a range from the anonymous memory that is searched for roots.
void rp_claim(rp_frozen_copy *frozen, rp_range range);
/// Returns the first part of a range that nothing has claimed; empty, at the range's end, if there is none. Start with
/// `cursor` at 0, and keep it between calls as long as the ranges rise.
rp_range rp_unclaimed_from(const rp_frozen_copy *frozen, uintptr_t start, uintptr_t end, uint32_t *cursor);

// touched_pages.c

void rp_open_page_map(rp_frozen_copy *frozen);
/// Returns the first page, from `page` on and before `end`, that was ever written to or read; `end` if there is none.
/// All other pages are zero.
uintptr_t rp_next_touched_page(rp_frozen_copy *frozen, uintptr_t page, uintptr_t end);

static inline uint64_t rp_read64(uintptr_t address) {
    uint64_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

static inline uint32_t rp_read32(uintptr_t address) {
    uint32_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}
