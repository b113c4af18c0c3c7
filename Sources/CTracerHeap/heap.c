#include "CTracerHeap.h"

#include <stdlib.h>

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define HAS_MALLINFO2 1
#endif
#endif

long long lt_heap_bytes_in_use(void) {
#ifdef HAS_MALLINFO2
    struct mallinfo2 figures = mallinfo2();
    return (long long)(figures.uordblks + figures.hblkhd);
#else
    return -1;
#endif
}
