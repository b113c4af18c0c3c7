#define _GNU_SOURCE
#include "CTracerAutostart.h"
#include <stdlib.h>

// A program with more rights than its caller must not open a port because the caller says so.
#if defined(__linux__)
#define environment_value secure_getenv
#else
#define environment_value getenv
#endif

// The variable is read here so that a program without it pays one look-up and nothing of Swift is touched.
__attribute__((constructor)) static void start_if_asked(void)
{
    const char *address = environment_value("LIFETIME_TRACER");
    if (address && *address)
        lifetime_tracer_autostart(address, environment_value("LIFETIME_TRACER_TOKEN"));
}

void lifetime_tracer_autostart_anchor(void)
{
}
