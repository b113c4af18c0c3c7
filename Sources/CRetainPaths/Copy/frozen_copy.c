#ifdef __linux__
#define _GNU_SOURCE

#include "Copy/copy.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The copy of the process. The bare system call makes it, so no handlers of `fork` run and no lock is awaited. The
// parent receives no signal when the copy ends, and a wait of the program for its own children does not return the
// copy.

static void detach(rp_frozen_copy *frozen, int32_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before the death signal was requested.
    if (getppid() != parent) syscall(SYS_exit_group, 1);
    prctl(PR_SET_NAME, "retain-paths");
    // The copy closes its descriptors, so that a descriptor that the parent closes is really closed. If the kernel does
    // not have this call, such a descriptor stays open until the copy ends.
#ifdef SYS_close_range
    syscall(SYS_close_range, 0u, ~0u, 0u);
#endif
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    rp_raise_limits();
    rp_prefer_for_oom_kill();
    rp_guard_search(frozen);
}

/// Runs the handlers of faults on a stack of their own, because the end of the thread's stack is one of the faults.
static void use_fault_stack(void *start, size_t size) {
    stack_t stack = {.ss_sp = start, .ss_size = size};
    sigaltstack(&stack, NULL);
}

static _Noreturn void run(
    const rp_request *request, rp_answer *answer, const rp_samples *samples, uintptr_t own_stack) {
    // More than a signal's frame needs with all registers of any processor.
    enum { FAULT_STACK = 32768 };
    char fault_stack[FAULT_STACK];
    // The state is on the stack, because a static variable would be searched for roots.
    rp_frozen_copy frozen = {
        .request = request, .answer = answer, .samples = samples, .started_at = rp_now(), .pages.file = -1,
        .memory.room = RP_UNLIMITED, .own_stack = own_stack,
    };
    use_fault_stack(fault_stack, sizeof fault_stack);
    detach(&frozen, request->process_id);
    rp_run_search(&frozen);
    for (;;) syscall(SYS_exit_group, 0);
}

int32_t rp_start_frozen_copy(const rp_request *request, rp_answer *answer, uint64_t *pause) {
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    // All signals are blocked, so except for the samples nothing on this thread calls malloc before the process is
    // copied.
    rp_samples samples;
    rp_free_samples(&samples);
    // The registers of the caller that a function must preserve are stored right below the frame's address.
    enum { SAVED_REGISTERS = 64 };
    uintptr_t own_stack = (uintptr_t)__builtin_frame_address(0) - SAVED_REGISTERS;
    uint64_t before = rp_now();
    long process = syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
    if (process == 0) run(request, answer, &samples, own_stack);
    int error = errno;
    *pause = rp_now() - before;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    errno = error;
    return (int32_t)process;
}

int32_t rp_open_process(int32_t process) {
#ifdef SYS_pidfd_open
    return (int32_t)syscall(SYS_pidfd_open, process, 0);
#else
    (void)process;
    errno = ENOSYS;
    return -1;
#endif
}

uint64_t rp_processor_time(int32_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int32_t rp_reap(int32_t process, bool waits, int32_t *status) {
    for (;;) {
        pid_t got = waitpid(process, status, __WALL | (waits ? 0 : WNOHANG));
        if (got >= 0 || errno != EINTR) return got;
    }
}

#endif
