#define _GNU_SOURCE
#include "CTracerAgent.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/// The descriptors below this number are left to the program, if its limit leaves as many to the server.
#define LT_LOW_DESCRIPTORS 128

static bool is_occupied[LT_LOW_DESCRIPTORS];

void lt_agent_occupy_low_descriptors(void)
{
    const int error = errno;
    struct rlimit limit;
    // Standard streams that are closed at the start are occupied in any case: the server's sockets must not replace
    // them.
    int count = 3;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= 2 * LT_LOW_DESCRIPTORS)
        count = LT_LOW_DESCRIPTORS;
    // Each copy gets the lowest free number.
    int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (descriptor >= 0 && descriptor < count) {
        is_occupied[descriptor] = true;
        descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    }
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
}

void lt_agent_release_low_descriptors(void)
{
    const int error = errno;
    for (int descriptor = 0; descriptor < LT_LOW_DESCRIPTORS; descriptor++) {
        if (is_occupied[descriptor])
            close(descriptor);
        is_occupied[descriptor] = false;
    }
    errno = error;
}
