// An allocator that replaces glibc's in a program that preloads it, as jemalloc and mimalloc do. It never reuses
// memory, because its program soon ends.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { POOL_BYTES = 512 << 20, HEADER_BYTES = 16 };

// The system provides pages of a variable when they are first used.
static _Alignas(4096) char pool[POOL_BYTES];
static size_t used;

static void *take(size_t alignment, size_t bytes) {
    if (alignment < HEADER_BYTES) alignment = HEADER_BYTES;
    if (bytes > POOL_BYTES) return NULL;
    // Room for the header and for any alignment; threads take different parts.
    size_t start = __atomic_fetch_add(&used, bytes + HEADER_BYTES + alignment, __ATOMIC_RELAXED);
    if (start > POOL_BYTES - bytes - HEADER_BYTES - alignment) {
        errno = ENOMEM;
        return NULL;
    }
    uintptr_t block = ((uintptr_t)pool + start + HEADER_BYTES + alignment - 1) & ~(uintptr_t)(alignment - 1);
    *(size_t *)(block - HEADER_BYTES) = bytes;
    return (void *)block;
}

size_t malloc_usable_size(void *block) { return block ? *(size_t *)((char *)block - HEADER_BYTES) : 0; }

void *malloc(size_t bytes) { return take(HEADER_BYTES, bytes); }

void free(void *block) { (void)block; }

// Memory of the pool is zero, because none is reused.
void *calloc(size_t count, size_t bytes) {
    size_t whole;
    return __builtin_mul_overflow(count, bytes, &whole) ? NULL : take(HEADER_BYTES, whole);
}

void *realloc(void *block, size_t bytes) {
    size_t former = malloc_usable_size(block);
    void *larger = take(HEADER_BYTES, bytes);
    if (larger && block) memcpy(larger, block, former < bytes ? former : bytes);
    return larger;
}

void *aligned_alloc(size_t alignment, size_t bytes) { return take(alignment, bytes); }

void *memalign(size_t alignment, size_t bytes) { return take(alignment, bytes); }

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    *block = take(alignment, bytes);
    return *block ? 0 : ENOMEM;
}
