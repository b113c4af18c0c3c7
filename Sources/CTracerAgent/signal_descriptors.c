#define _GNU_SOURCE
#include "CTracerAgent.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/signalfd.h>

/// Descriptors from this number on are not looked at. Programs create descriptors of signals when they start.
enum { MOST_DESCRIPTORS = 1 << 16 };

static bool is_of_signals(int descriptor)
{
    static const char name[] = "anon_inode:[signalfd]";
    char link[64], target[sizeof name];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, target, sizeof target);
    return length == sizeof name - 1 && memcmp(target, name, sizeof name - 1) == 0;
}

void lt_agent_silence_signal_descriptors(void)
{
    sigset_t none;
    sigemptyset(&none);
    const int silent = signalfd(-1, &none, SFD_CLOEXEC | SFD_NONBLOCK);
    struct rlimit limit;
    if (silent < 0)
        return;
    int end = MOST_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST_DESCRIPTORS)
        end = (int)limit.rlim_cur;
    // The set of signals of a descriptor is not changed, because fork children may share it.
    for (int descriptor = 0; descriptor < end; descriptor++) {
        if (descriptor != silent && fcntl(descriptor, F_GETFD) >= 0 && is_of_signals(descriptor))
            dup3(silent, descriptor, O_CLOEXEC);
    }
    close(silent);
}
#else
void lt_agent_silence_signal_descriptors(void)
{
}
#endif
