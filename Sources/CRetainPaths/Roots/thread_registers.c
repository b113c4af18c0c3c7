#ifdef __linux__
#define _GNU_SOURCE

#include "frozen_copy.h"

#ifdef __x86_64__
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The registers of the program's threads that wait in the kernel. Optimised code keeps a variable in a register while
// its function waits, and then no memory contains the reference. Only ptrace(2) tells a thread's registers. It
// interrupts the thread's wait for some microseconds, so it is used only if an object would have no holder otherwise,
// and only for waits that the kernel then continues (signal(7), "Interruption of system calls and library functions by
// stop signals": epoll_wait and others fail with EINTR instead).
//
// A process of its own traces the threads. When it ends, for whatever reason, the kernel lets all of them go on.

enum {
    WORD = sizeof(uintptr_t),
    /// The most threads whose registers are read.
    MOST_TRACED_THREADS = 1024,
    TRACER_STACK = 1 << 16,
    /// How often, and after how many nanoseconds, the tracer looks whether a thread has stopped. A thread that takes
    /// longer has left its wait, and no other thread is interrupted.
    MOST_LOOKS = 500,
    LOOK_INTERVAL = 20000,
};

/// Whether the kernel continues a system call after an interruption without a signal's handler: the call returns
/// ERESTARTSYS, ERESTARTNOHAND or ERESTART_RESTARTBLOCK.
static bool is_continued(long call) {
    switch (call) {
    case SYS_futex:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_poll:
    case SYS_ppoll:
    case SYS_pause:
    case SYS_rt_sigsuspend:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_restart_syscall: return true;
    default: return false;
    }
}

/// Whether a thread waits in such a call, and its stack pointer is still the one that is known. The file has the number
/// of the call, its six arguments, the stack pointer and the program counter (proc_pid_syscall(5)).
static bool waits(int32_t process, int32_t thread, uintptr_t stack_pointer) {
    enum { ARGUMENTS = 6 };
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", process, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0 || text[0] < '0' || text[0] > '9') return false;
    text[length] = 0;
    char *at = text;
    long call = strtol(at, &at, 10);
    for (int index = 0; index < ARGUMENTS; index++) strtoul(at, &at, 0);
    return strtoul(at, &at, 0) == stack_pointer && is_continued(call);
}

/// Waits until a thread has stopped, and returns whether it has. Ends the tracer if the thread does not stop.
static bool stops(int32_t thread, int *status) {
    const struct timespec interval = {.tv_nsec = LOOK_INTERVAL};
    for (int look = 0; look < MOST_LOOKS; look++) {
        pid_t got = waitpid(thread, status, __WALL | WNOHANG);
        if (got != 0) return got == thread && WIFSTOPPED(*status);
        nanosleep(&interval, NULL);
    }
    _exit(1);
}

/// Stores the registers of a thread that waits, and lets it go on; returns whether it could.
static bool read_registers(int32_t thread, rp_thread_registers *into, uintptr_t stack_pointer) {
    int status;
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0) return false;
    // If the tracer ends here, the thread goes on.
    if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || !stops(thread, &status)) return false;
    struct user_regs_struct all;
    bool is_read = ptrace(PTRACE_GETREGS, thread, NULL, &all) == 0 && all.rsp == stack_pointer;
    // A signal that arrived at the same time stops the thread first; the thread must still receive it. Any other stop
    // is an event of the tracer.
    enum { EVENT_SHIFT = 16 };
    long signal = status >> EVENT_SHIFT ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_DETACH, thread, NULL, signal);
    if (!is_read) return false;
    uintptr_t words[RP_KEPT_REGISTERS] = {all.rbx, all.r12, all.r13, all.r14, all.r15};
    memcpy(into->words, words, sizeof words);
    return true;
}

/// Reads the registers of all threads with a known stack. Runs in the tracer, which shares the memory of the copy.
static int trace(void *context) {
    rp_frozen_copy *frozen = context;
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < frozen->threads.part_count; index++) {
        const rp_thread_part *part = frozen->threads.parts + index;
        if (part->node != RP_NODE_ROOT_STACK || part->thread >= request->thread_count) continue;
        const rp_thread *thread = request->threads + part->thread;
        if (thread->stack_pointer != part->range.start || thread->id == request->own_thread_id) continue;
        rp_threads *threads = &frozen->threads;
        if (threads->register_count == MOST_TRACED_THREADS) break;
        rp_thread_registers *into = threads->registers + threads->register_count;
        if (!waits(request->process_id, thread->id, thread->stack_pointer)) continue;
        if (!read_registers(thread->id, into, thread->stack_pointer)) continue;
        into->part = index;
        threads->register_count++;
    }
    return 0;
}

void rp_read_thread_registers(rp_frozen_copy *frozen) {
    rp_threads *threads = &frozen->threads;
    if (threads->registers) return;
    threads->registers = rp_take(frozen, MOST_TRACED_THREADS * sizeof(rp_thread_registers));
    char *stack = rp_take(frozen, TRACER_STACK);
    // The copy waits until the tracer has ended, and its memory, which the tracer fills, is the copy's own.
    int process = clone(trace, stack + TRACER_STACK, CLONE_VM | CLONE_VFORK, frozen);
    if (process > 0) waitpid(process, NULL, __WALL);
}

#else

void rp_read_thread_registers(rp_frozen_copy *frozen) {
    (void)frozen;
}

#endif

const rp_thread_registers *rp_registers_with(const rp_frozen_copy *frozen, uintptr_t word) {
    const rp_threads *threads = &frozen->threads;
    uintptr_t first = (uintptr_t)threads->registers;
    bool is_inside = word >= first && word < first + threads->register_count * sizeof(rp_thread_registers);
    return is_inside ? threads->registers + (word - first) / sizeof(rp_thread_registers) : NULL;
}

#endif
