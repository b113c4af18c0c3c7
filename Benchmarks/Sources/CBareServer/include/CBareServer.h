#ifndef CBARESERVER_H
#define CBARESERVER_H

#include <stdint.h>

/// Starts a server with libmicrohttpd alone on loopback, which answers each request with the same few bytes. Returns
/// the port; 0 if the server does not start. The server runs until the process ends.
uint16_t bench_start_bare_server(void);

/// Connects to a port on loopback. Returns the socket, or -1.
int bench_connect(uint16_t port);

/// Sends a GET request on a kept-alive connection and reads the whole response.
///
/// Returns the number of bytes of the body, or -1 if the status is not 200 or the response cannot be read.
int64_t bench_get(int socket, const char *_Nonnull path);

/// Sends a GET request for a stream and reads its first bytes; the rest stays unread. Returns 0, or -1 on failure.
int bench_follow(int socket, const char *_Nonnull path);

/// The nanoseconds of CPU time that all threads of the process but the calling one have used. May be a little less than
/// at an earlier call, because it is the difference of two clocks that are read one after the other.
int64_t bench_cpu_of_others(void);

/// The nanoseconds of CPU time that the thread of the process with a name has used; 0 if there is none. Linux only.
uint64_t bench_cpu_of_thread(const char *_Nonnull name);

#endif
