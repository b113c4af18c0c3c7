#ifdef __linux__
#define _GNU_SOURCE

#include "malloc_layout.h"
#include "snapshot.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The copy of the process. The bare system call makes it, so no handlers of `fork` run and no lock is awaited. The
// parent receives no signal when the copy ends, and a wait of the program for its own children does not return the
// copy.

/// The state of the search, for the signal handlers. Only the copy writes it.
static rp_snapshot *current;

uint64_t rp_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void rp_enter_phase(rp_snapshot *snapshot, uint32_t phase) {
    __atomic_store_n(&snapshot->answer->phase, phase, __ATOMIC_RELAXED);
}

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
    if (current->guards_faults) {
        current->guards_faults = false;
        current->answer->counts.faults++;
        longjmp(current->after_fault, 1);
    }
    current->answer->error = signal;
    current->answer->state = RP_STATE_CRASHED;
    syscall(SYS_exit_group, 1);
}

/// Whether the copy has worked for most of an interval since the last look, or has waited. On a busy machine it may
/// have done neither.
static bool has_had_its_turn(void) {
    enum : uint64_t { MOST_OF_INTERVAL = 500000000 };
    struct timespec time;
    struct rusage usage;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    getrusage(RUSAGE_SELF, &usage);
    uint64_t worked = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec, waits = (uint64_t)usage.ru_nvcsw;
    if (worked - current->time_at_last_look < MOST_OF_INTERVAL && waits == current->waits_at_last_look) return false;
    current->time_at_last_look = worked;
    current->waits_at_last_look = waits;
    return true;
}

/// Detects an object in which the scan is stuck. The enum witnesses are the only code here that does not belong to the
/// search, and they may wait for a lock that a thread of the parent held. After some seconds, the scan leaves the
/// object, and objects of its type are scanned without their layout.
static void on_alarm(int signal) {
    (void)signal;
    // Scanning an array of millions of elements also takes a while.
    enum { INTERVALS_UNTIL_STUCK = 5 };
    bool is_same = current->guards_faults && current->scans == current->scans_at_last_look;
    if (is_same && !has_had_its_turn()) return;
    current->scans_at_last_look = current->scans;
    current->intervals_in_scan = is_same ? current->intervals_in_scan + 1 : 0;
    if (current->intervals_in_scan < INTERVALS_UNTIL_STUCK) return;
    current->intervals_in_scan = 0;
    current->guards_faults = false;
    current->types[current->scanned_type].layout = NULL;
    current->answer->counts.faults++;
    longjmp(current->after_fault, 1);
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

static void cut_loose(rp_snapshot *snapshot, int32_t parent) {
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
    rp_be_ended_first();
    current = snapshot;
    catch_faults();
    watch();
}

static uint64_t elapsed(const rp_snapshot *snapshot) {
    return rp_now() - snapshot->started_at;
}

static bool needs_layouts(const rp_snapshot *snapshot) {
    const rp_answer *answer = snapshot->answer;
    uint32_t unknown =
        answer->unknown_type_count + answer->unknown_context_count + answer->unknown_variable_count;
    return !snapshot->request->is_last_round && unknown > 0;
}

static void look(rp_snapshot *snapshot) {
    rp_counts *counts = &snapshot->answer->counts;
    rp_enter_phase(snapshot, RP_PHASE_WALKING);
    rp_read_mappings(snapshot);
    rp_open_page_map(snapshot);
    rp_find_heap_parts(snapshot);
    rp_walk_heap(snapshot);
    rp_classify_blocks(snapshot);
    rp_pass_over_metadata(snapshot);
    rp_clear_words_of_sleeps(snapshot);
    rp_find_threads(snapshot);
    rp_prepare_roots(snapshot);
    rp_find_targets(snapshot);
    counts->walked_at = elapsed(snapshot);
    if (needs_layouts(snapshot)) rp_give_up(snapshot, RP_STATE_NEEDS_LAYOUTS, 0);

    rp_enter_phase(snapshot, RP_PHASE_COUNTING);
    rp_count_references(snapshot);
    counts->types = snapshot->type_count - 1;
    counts->counted_at = elapsed(snapshot);
    if (needs_layouts(snapshot)) rp_give_up(snapshot, RP_STATE_NEEDS_LAYOUTS, 0);

    rp_enter_phase(snapshot, RP_PHASE_SEARCHING);
    rp_pass_over_metadata(snapshot);
    rp_prepare_search(snapshot);
    rp_search_from_roots(snapshot, RP_ROOTS_DATA);
    rp_search_from_roots(snapshot, RP_ROOTS_THREADS_AND_ANONYMOUS);
    counts->searched_at = elapsed(snapshot);
    rp_write_results(snapshot);
    rp_find_functions(snapshot);
    snapshot->answer->state = RP_STATE_DONE;
}

/// Runs the handlers of faults on a stack of their own, because the end of the thread's stack is one of the faults.
static void use_fault_stack(void *start, size_t size) {
    stack_t stack = {.ss_sp = start, .ss_size = size};
    sigaltstack(&stack, NULL);
}

static _Noreturn void run(const rp_request *request, rp_answer *answer, const rp_samples *samples) {
    // More than a signal's frame needs with all registers of any processor.
    enum { FAULT_STACK = 32768 };
    char fault_stack[FAULT_STACK];
    // The state is on the stack, because a static variable would be searched for roots.
    rp_snapshot snapshot = {
        .request = request, .answer = answer, .samples = samples, .started_at = rp_now(), .page_map = -1,
        .room = RP_UNLIMITED,
    };
    use_fault_stack(fault_stack, sizeof fault_stack);
    cut_loose(&snapshot, request->process_id);
    if (setjmp(snapshot.give_up) == 0) look(&snapshot);
    answer->counts.ended_at = elapsed(&snapshot);
    for (;;) syscall(SYS_exit_group, 0);
}

int32_t rp_start_snapshot(const rp_request *request, rp_answer *answer, uint64_t *pause) {
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    // All signals are blocked, so except for the samples nothing on this thread calls malloc before the process is
    // copied.
    rp_samples samples;
    rp_free_samples(&samples);
    uint64_t before = rp_now();
    long process = syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
    if (process == 0) run(request, answer, &samples);
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
