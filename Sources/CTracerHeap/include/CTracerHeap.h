/// What the C library's allocator has given out. Swift's import of the C library lacks mallinfo2.

#ifndef C_TRACER_HEAP_H
#define C_TRACER_HEAP_H

/// The bytes that the program has allocated and not freed, with the blocks that have a mapping of their own; -1 where
/// the C library does not tell.
///
/// Locks each arena of the allocator in turn, and walks its free blocks: microseconds, up to milliseconds in a process
/// with very many free blocks.
long long lt_heap_bytes_in_use(void);

#endif
