#include "CTracerSystem.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

bool lt_share_heap_among_threads(void)
{
#if defined(__GLIBC__)
    return mallopt(M_ARENA_MAX, 1) == 1;
#else
    return false;
#endif
}
