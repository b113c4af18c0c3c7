#define _GNU_SOURCE
#include "CTracerSystem.h"

#include <errno.h>
#include <fcntl.h>

int lt_accept(int listener, struct sockaddr *address, socklen_t *length)
{
#if defined(__linux__)
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    int descriptor = accept(listener, address, length);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(descriptor, F_SETFL, O_NONBLOCK);
    }
    return descriptor;
#endif
}
