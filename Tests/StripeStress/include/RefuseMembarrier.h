/// A seccomp filter, as programs and container runtimes install them.
#pragma once

#include <stdbool.h>

/// Makes `membarrier` fail with EPERM on all threads of this process, for good; returns false if the system does not
/// allow it.
bool refuse_membarrier(void);
