#define _GNU_SOURCE
#include "CTracerSystem.h"

#include <stdlib.h>

const char *lt_environment_of_caller(const char *name)
{
#if defined(__linux__)
    return secure_getenv(name);
#else
    return getenv(name);
#endif
}
