#define _GNU_SOURCE
#include "CTracerAutostart.h"
#include <stdlib.h>

// A program with more rights than its caller must not open a port because the caller says so.
#if defined(__linux__)
#define environment_value secure_getenv
#else
#define environment_value getenv
#endif

// The variables are read here so that a program without them pays two look-ups and nothing of Swift is touched.
__attribute__((constructor)) static void start_if_asked(void)
{
    // First, so that nothing is born without its stack that the server can show.
    const char *stacks = environment_value("LIFETIME_TRACER_STACKS");
    if (stacks && *stacks)
        lifetime_tracer_autostart_stacks(stacks);
    const char *address = environment_value("LIFETIME_TRACER");
    if (address && *address)
        lifetime_tracer_autostart(address, environment_value("LIFETIME_TRACER_TOKEN"));
}

void lifetime_tracer_autostart_anchor(void)
{
}
