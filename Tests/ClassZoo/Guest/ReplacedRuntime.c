// A library to preload that replaces a function of the Swift runtime and calls the runtime's own, as tools do that
// count allocations.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask) {
    typedef void *allocate(const void *, size_t, size_t);
    static allocate *real;
    if (!real) real = (allocate *)dlsym(RTLD_NEXT, "swift_allocObject");
    return real(metadata, size, alignment_mask);
}
