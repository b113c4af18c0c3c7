#define _GNU_SOURCE

#include "CSwiftRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include "frozen_copy.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

rp_trial *rp_make_trial(void) {
    rp_trial *trial = mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return trial == MAP_FAILED ? NULL : trial;
}

void rp_free_trial(rp_trial *trial) {
    munmap(trial, sizeof *trial);
}

_Noreturn void rp_end_trial(void) {
    _exit(0);
}

#ifdef __linux__

static void silence_standard_error(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) {
        close(STDERR_FILENO);
        return;
    }
    dup2(nowhere, STDERR_FILENO);
}

static void limit_memory(uint64_t more) {
    // /proc/self/statm: "size resident …", in pages.
    char text[64] = {0};
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return;
    uint64_t pages = strtoull(text, NULL, 10);
    struct rlimit limit;
    if (!pages || getrlimit(RLIMIT_AS, &limit) != 0) return;
    uint64_t bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE) + more;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes) return;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limit);
}

int rp_clone_for_trial(uint64_t memory_limit) {
    int parent = getpid();
    // The bare system call: unlike fork(2), it runs no handlers. Because the copy has no exit signal, only a wait with
    // __WALL returns it.
    long process = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    if (process != 0) return process < 0 ? -1 : (int)process;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    // All other signals are blocked, because the program's handlers must not run in the copy.
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigdelset(&all, crashes[i]);
    sigprocmask(SIG_SETMASK, &all, NULL);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    rp_raise_limits();
    rp_prefer_for_oom_kill();
    limit_memory(memory_limit);
    silence_standard_error();
    return 0;
}

typedef struct process_state {
    char state;
    double seconds;
} process_state;

/// Returns the state letter and the processor time from /proc/PID/stat (proc(5)); 0 if they cannot be read.
static process_state read_state(int process) {
    process_state found = {0, 0};
    char path[48], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return found;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return found;
    text[count] = 0;
    // The second field is the command in parentheses and may contain anything.
    char *rest = strrchr(text, ')');
    unsigned long user = 0, system = 0;
    if (!rest) return found;
    if (sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &found.state, &user, &system) < 3) {
        found.state = 0;
    }
    found.seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return found;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int wait_for(int process, int *status, int flags) {
    int result;
    do {
        result = waitpid(process, status, flags | __WALL);
    } while (result < 0 && errno == EINTR);
    return result;
}

/// Returns when the process has ended, or after a few milliseconds.
static void pause_for(int descriptor, int milliseconds) {
    if (descriptor >= 0) {
        struct pollfd end = {.fd = descriptor, .events = POLLIN};
        poll(&end, 1, milliseconds);
    } else {
        // Kernels before 5.3 have no descriptors for processes.
        struct timespec time = {0, 1000000};
        nanosleep(&time, NULL);
    }
}

enum rp_trial_end rp_await_trial(
    int process, const rp_trial *trial, double seconds_without_progress, double seconds_in_all) {
    enum { POLL_MILLISECONDS = 10, POLLS_ASLEEP = 4 };
#ifdef SYS_pidfd_open
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
#else
    int descriptor = -1;
#endif
    double end = now() + seconds_in_all;
    double seconds_at_progress = 0;
    uint64_t progress = 0;
    int polls_asleep = 0;
    enum rp_trial_end outcome = 0;
    int status = 0;
    for (;;) {
        int waited = wait_for(process, &status, WNOHANG);
        if (waited == process) {
            outcome = WIFEXITED(status) ? RP_TRIAL_EXITED : RP_TRIAL_CRASHED;
            break;
        }
        if (waited < 0) {
            // Another part of the program has reaped the copy. The entries that the copy wrote still count.
            outcome = RP_TRIAL_EXITED;
            break;
        }
        pause_for(descriptor, POLL_MILLISECONDS);
        process_state state = read_state(process);
        uint64_t reached = *(const volatile uint64_t *)&trial->progress;
        if (reached != progress) {
            progress = reached;
            seconds_at_progress = state.seconds;
            polls_asleep = 0;
            continue;
        }
        // The copy has one thread. If that thread sleeps, it waits for a lock.
        polls_asleep = state.state == 'S' ? polls_asleep + 1 : 0;
        if (polls_asleep >= POLLS_ASLEEP) outcome = RP_TRIAL_BLOCKED;
        if (state.seconds - seconds_at_progress > seconds_without_progress || now() > end) outcome = RP_TRIAL_TIMED_OUT;
        if (outcome) {
            kill(process, SIGKILL);
            wait_for(process, &status, 0);
            break;
        }
    }
    if (descriptor >= 0) close(descriptor);
    return outcome;
}

#else

int rp_clone_for_trial(uint64_t memory_limit) {
    (void)memory_limit;
    return -1;
}

enum rp_trial_end rp_await_trial(
    int process, const rp_trial *trial, double seconds_without_progress, double seconds_in_all) {
    (void)process, (void)trial, (void)seconds_without_progress, (void)seconds_in_all;
    return RP_TRIAL_CRASHED;
}

#endif
