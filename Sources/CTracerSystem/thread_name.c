#define _GNU_SOURCE
#include "CTracerSystem.h"

#if defined(__linux__)
#include <sys/prctl.h>
#else
#include <pthread.h>
#endif

void lt_name_thread(const char *name)
{
#if defined(__linux__)
    prctl(PR_SET_NAME, name);
#else
    pthread_setname_np(name);
#endif
}
