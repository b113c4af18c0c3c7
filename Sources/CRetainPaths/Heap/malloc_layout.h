// The layout of malloc's structures in memory: glibc's malloc/malloc.c and malloc/arena.c, version 2.26 and later, 64
// bits. Other versions are not refused by their number: the search checks the structures that it finds for consistency.
#pragma once

#include <stdint.h>

enum {
    /// struct malloc_chunk: the second word is the size, and the block begins behind it.
    RP_CHUNK_SIZE = 8,
    RP_CHUNK_BLOCK = 16,
    /// A block may use the first word of the next chunk.
    RP_CHUNK_OVERHEAD = 8,
    RP_CHUNK_SMALLEST = 32,
    RP_CHUNK_ALIGNMENT = 16,
    RP_CHUNK_PREVIOUS_IN_USE = 1,
    RP_CHUNK_IS_MAPPED = 2,
    RP_CHUNK_SIZE_BITS = 7,
    /// The end of a part that malloc could not extend: two headers of this size, which are not chunks.
    RP_CHUNK_FENCE = 16,

    /// struct malloc_state.
    RP_ARENA_FAST_BINS = 16,
    RP_ARENA_FAST_BIN_COUNT = 10,
    RP_ARENA_TOP = 96,
    RP_ARENA_NEXT = 2160,
    RP_ARENA_SIZE = 2200,

    /// struct _heap_info, at the start of each part of an arena other than the main arena.
    RP_HEAP_INFO_ARENA = 0,
    RP_HEAP_INFO_PREVIOUS = 8,
    RP_HEAP_INFO_SIZE = 16,
    /// HEAP_MAX_SIZE: parts are aligned to it. It is larger with huge pages.
    RP_HEAP_INFO_ALIGNMENT = 64 << 20,
};

/// Returns the usable size of the block that malloc makes for a number of bytes. A block can be larger by
/// `RP_CHUNK_ALIGNMENT` bytes, if malloc makes it of a free chunk whose rest is too small for a chunk of its own.
static inline uint32_t rp_malloc_size(uint32_t bytes) {
    uint32_t chunk = (bytes + RP_CHUNK_OVERHEAD + RP_CHUNK_ALIGNMENT - 1) / RP_CHUNK_ALIGNMENT * RP_CHUNK_ALIGNMENT;
    return (chunk < RP_CHUNK_SMALLEST ? RP_CHUNK_SMALLEST : chunk) - RP_CHUNK_OVERHEAD;
}

/// Decodes a pointer in a list of free blocks (PROTECT_PTR, since 2.32).
static inline uintptr_t rp_reveal_pointer(uintptr_t at, uintptr_t stored) {
    return at >> 12 ^ stored;
}
