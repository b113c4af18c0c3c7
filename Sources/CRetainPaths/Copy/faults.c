#ifdef __linux__
#define _GNU_SOURCE

#include "Copy/copy.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Faults in the frozen copy, and objects in which a scan is stuck. Other threads may have been changing the memory that
// the search reads.

/// The state of the search, for the signal handlers. Only the copy writes it.
static rp_frozen_copy *current;

/// Handles a fault behind the end of a mapped file that has become shorter: replaces the page by zeros, in the copy
/// alone. Does not replace the memory of the answer, which is shared with the parent.
static bool replaces_page(const siginfo_t *fault) {
    if (fault->si_signo != SIGBUS || fault->si_code != BUS_ADRERR) return false;
    uintptr_t page = (uintptr_t)fault->si_addr & ~(uintptr_t)(RP_PAGE - 1);
    const rp_mapping *mapping = rp_mapping_at(current, page);
    if (!mapping || !(mapping->flags & RP_MAPPING_OF_FILE)) return false;
    if (mapping == rp_mapping_at(current, (uintptr_t)current->answer)) return false;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return mmap((void *)page, RP_PAGE, PROT_READ, flags, -1, 0) != MAP_FAILED;
}

static void on_fault(int signal, siginfo_t *fault, void *context) {
    (void)context;
    if (replaces_page(fault)) return;
    if (current->guard.is_on) {
        current->guard.is_on = false;
        current->answer->counts.faults++;
        longjmp(current->guard.after_fault, 1);
    }
    current->answer->error = signal;
    current->answer->state = RP_STATE_CRASHED;
    syscall(SYS_exit_group, 1);
}

/// Whether the copy has worked for most of an interval since the last look, or has waited. On a busy machine it may
/// have done neither.
static bool has_progressed(void) {
    enum : uint64_t { MOST_OF_INTERVAL = 500000000 };
    struct timespec time;
    struct rusage usage;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    getrusage(RUSAGE_SELF, &usage);
    uint64_t worked = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec, waits = (uint64_t)usage.ru_nvcsw;
    if (worked - current->watch.time < MOST_OF_INTERVAL && waits == current->watch.waits) return false;
    current->watch.time = worked;
    current->watch.waits = waits;
    return true;
}

/// Detects an object in which the scan is stuck. The enum witnesses are the only code here that does not belong to the
/// search, and they may wait for a lock that a thread of the parent held. After some seconds, the scan leaves the
/// object, and objects of its type are scanned without their layout.
static void on_alarm(int signal) {
    (void)signal;
    // Scanning an array of millions of elements also takes a while.
    enum { INTERVALS_UNTIL_STUCK = 5 };
    bool is_same = current->guard.is_on && current->guard.scans == current->watch.scans;
    if (is_same && !has_progressed()) return;
    current->watch.scans = current->guard.scans;
    current->watch.intervals = is_same ? current->watch.intervals + 1 : 0;
    if (current->watch.intervals < INTERVALS_UNTIL_STUCK) return;
    current->watch.intervals = 0;
    current->guard.is_on = false;
    current->types.list[current->guard.scanned_type].layout = NULL;
    current->answer->counts.faults++;
    longjmp(current->guard.after_fault, 1);
}

static void watch(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_NODEFER};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval interval = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1}};
    setitimer(ITIMER_REAL, &interval, NULL);
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
}

/// Directs the signals of faults to the handler. All other signals stay blocked, because the program's own handlers
/// must not run in the copy.
static void catch_faults(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_NODEFER | SA_SIGINFO | SA_ONSTACK};
    sigset_t unblocked;
    sigemptyset(&unblocked);
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
        sigaction(faults[index], &action, NULL);
        sigaddset(&unblocked, faults[index]);
    }
    pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
}

void rp_guard_search(rp_frozen_copy *frozen) {
    current = frozen;
    catch_faults();
    watch();
}

#endif
