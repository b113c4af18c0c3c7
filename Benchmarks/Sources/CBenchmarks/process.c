#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CBenchmarks.h"

#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

void bench_complain(const char *text) {
    fputs(text, stderr);
}

void bench_yield(void) {
    sched_yield();
}

void bench_stay_on(int processor) {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)processor, &set);
    // The call fails if the process may not use this processor. The thread then runs on any permitted processor.
    (void)sched_setaffinity(0, sizeof set, &set);
#else
    (void)processor;
#endif
}

int bench_processors(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (int)processors : 1;
}

uint64_t bench_resident_bytes(void) {
    unsigned long long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    int fields = fscanf(file, "%llu %llu", &total, &resident);
    fclose(file);
    return fields == 2 ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

double bench_fork(void) {
    uint64_t start = bench_nanoseconds();
    pid_t child = fork();
    if (child == 0) _exit(0);
    double taken = (double)(bench_nanoseconds() - start);
    if (child < 0) return -1;
    waitpid(child, NULL, 0);
    return taken;
}

uint64_t bench_peak_resident_bytes(void) {
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file) && sscanf(line, "VmHWM: %llu", &kilobytes) != 1) {}
    fclose(file);
    return kilobytes * 1024;
}
