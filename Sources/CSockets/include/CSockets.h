// System calls on sockets that Swift's module of the C library hides, because they are GNU or POSIX 2024 extensions.
#pragma once

#include <sys/socket.h>

/// Accepts a connection whose socket does not block and is not inherited by programs that the host starts.
///
/// Returns the socket, or -1 with `errno` set. Atomic on Linux: another thread cannot fork between the call and the flag.
int tracer_accept(int listener, struct sockaddr *_Nonnull address, socklen_t *_Nonnull length);
