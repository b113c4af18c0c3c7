#include "CTracerSystem.h"

#if defined(__linux__)
// The interface of LeakSanitizer (sanitizer/lsan_interface.h), which is present in programs that are built with it or
// with AddressSanitizer.
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

void lt_begin_unchecked_allocations(void)
{
    if (__lsan_disable && __lsan_enable)
        __lsan_disable();
}

void lt_end_unchecked_allocations(void)
{
    if (__lsan_disable && __lsan_enable)
        __lsan_enable();
}
#else
void lt_begin_unchecked_allocations(void)
{
}

void lt_end_unchecked_allocations(void)
{
}
#endif
