#define _GNU_SOURCE
#include "CTracerAgent.h"

#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && defined(__GLIBC__)
// The program may call `exit` anywhere, even in a signal handler that has interrupted malloc. So the exit handler
// allocates nothing: it wakes a thread that has waited since the start, and waits for it for a limited time.

static pid_t planned_in;
static int64_t limit_milliseconds;
static lt_exit_record *record;
static int exit_status;
/// Posted by the exit handler, and by the thread that works at exit.
static sem_t has_begun, has_flushed, has_ended;
/// Whether the exit handler then waits for a signal.
static atomic_bool stays;
static sem_t is_told_to_stop;
/// The streams at the start: they exist until the end, and others in their place may not.
static FILE *output, *errors;

static void tell_to_stop(int number)
{
    (void)number;
    const int error = errno;
    sem_post(&is_told_to_stop);
    errno = error;
}

/// Takes SIGINT and SIGTERM from the program. The second one of a kind ends the process.
static void take_signals(void)
{
    struct sigaction action = {.sa_handler = tell_to_stop, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/// Waits until SIGINT or SIGTERM arrives, or has arrived since `take_signals`.
static void wait_for_signal(void)
{
    sigset_t awaited, mask;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &awaited, &mask);
    while (sem_wait(&is_told_to_stop) != 0 && errno == EINTR)
        continue;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void work_at_exit(int status, void *unused)
{
    (void)unused;
    // A fork child also runs this handler, without the thread.
    if (getpid() != planned_in)
        return;
    exit_status = status;
    if (record)
        lt_exit_record_change_state(record, LT_EXIT_PLANNED, LT_EXIT_SEARCHING);
    sem_post(&has_begun);
    // However long it takes: the exit itself would write the output of a stream again while the thread is writing it.
    while (sem_wait(&has_flushed) != 0 && errno == EINTR)
        continue;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += limit_milliseconds / 1000;
    end.tv_nsec += limit_milliseconds % 1000 * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        end.tv_sec += 1;
    }
    while (sem_clockwait(&has_ended, CLOCK_MONOTONIC, &end) != 0) {
        if (errno == EINTR)
            continue;
        if (record)
            lt_exit_record_change_state(record, LT_EXIT_SEARCHING, LT_EXIT_TIMED_OUT);
        return;
    }
    if (atomic_load(&stays))
        wait_for_signal();
}

/// Called when the constructors of the program itself begin.
static void plan_exit(void)
{
    // Unlike `atexit`, this function tells the status.
    if (on_exit(work_at_exit, NULL) == 0 && record)
        lt_exit_record_change_state(record, LT_EXIT_UNPLANNED, LT_EXIT_PLANNED);
}

bool lt_agent_plan_exit(lt_exit_record *memory, int64_t milliseconds)
{
    planned_in = getpid();
    limit_milliseconds = milliseconds;
    record = memory;
    output = stdout;
    errors = stderr;
    // The loader's own handler ends all libraries. Handlers run in the reverse order of their registration, and the
    // loader's is registered after the constructors of libraries, so this one must be registered later.
    return sem_init(&has_begun, 0, 0) == 0 && sem_init(&has_flushed, 0, 0) == 0 && sem_init(&has_ended, 0, 0) == 0
        && sem_init(&is_told_to_stop, 0, 0) == 0 && lt_agent_call_before_program(plan_exit);
}

/// Waits for no lock. `fflush(NULL)` waits for that of each stream, and keeps the lock of their list meanwhile, which
/// the exit itself needs.
static void flush(FILE *stream)
{
    if (ftrylockfile(stream) != 0)
        return;
    struct pollfd target = {.fd = fileno_unlocked(stream), .events = POLLOUT};
    // A pipe is reported if it has room for 4,096 bytes, which is the usual size of a buffer. One without a reader is
    // left to the exit itself: this thread blocks SIGPIPE, which then ends the program.
    if (__fpending(stream) > 0 && poll(&target, 1, 1000) > 0 && target.revents == POLLOUT)
        fflush_unlocked(stream);
    funlockfile(stream);
}

int lt_agent_await_exit(void)
{
    while (sem_wait(&has_begun) != 0 && errno == EINTR)
        continue;
    // Before all that takes time: the program may be killed meanwhile.
    flush(output);
    flush(errors);
    sem_post(&has_flushed);
    return exit_status;
}

void lt_agent_end_exit_work(bool stays_open)
{
    // Before the page is announced, so that a signal that follows is not lost.
    if (stays_open) {
        lt_agent_silence_signal_descriptors();
        take_signals();
    }
    atomic_store(&stays, stays_open);
    sem_post(&has_ended);
    // If there is no thread that waits for the exit.
    sem_post(&has_flushed);
}
#else
bool lt_agent_plan_exit(lt_exit_record *memory, int64_t milliseconds)
{
    (void)memory, (void)milliseconds;
    return false;
}

int lt_agent_await_exit(void)
{
    return 0;
}

void lt_agent_end_exit_work(bool stays_open)
{
    (void)stays_open;
}
#endif
