#include "CTracerSystem.h"

#if defined(__linux__)
#include <stddef.h>
#include <sys/xattr.h>
#endif

bool lt_has_capabilities(const char *path)
{
#if defined(__linux__)
    return getxattr(path, "security.capability", NULL, 0) >= 0;
#else
    (void)path;
    return false;
#endif
}
