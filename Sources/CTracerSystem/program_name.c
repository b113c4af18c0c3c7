#define _GNU_SOURCE
#include "CTracerSystem.h"

#include <errno.h>
#include <stdlib.h>

const char *lt_program_name(void)
{
#if defined(__linux__)
    return program_invocation_short_name;
#else
    return getprogname();
#endif
}
