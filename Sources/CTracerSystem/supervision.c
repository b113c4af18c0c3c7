#define _GNU_SOURCE
#include "CTracerSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>

int lt_start_supervised(const char *path, char *const *words, char *const *environment)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    sigset_t all, mask;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    // If this signal is ignored, the system forgets how a child has ended.
    struct sigaction usual = {.sa_handler = SIG_DFL}, inherited;
    sigaction(SIGCHLD, &usual, &inherited);
    const pid_t supervisor = getpid();
    const pid_t child = fork();
    if (child == 0) {
        // The program ends with its supervisor, as it would if it had replaced it.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != supervisor)
            _exit(127);
        sigaction(SIGCHLD, &inherited, NULL);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        execve(path, words, environment);
        const int error = errno;
        (void)!write(ends[1], &error, sizeof error);
        _exit(127);
    }
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    // Ends when the program has started, because the other end is closed then.
    while (child > 0 && read(ends[0], &error, sizeof error) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    if (error == 0)
        return child;
    if (child > 0)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    errno = error;
    return -1;
}

void lt_keep_only_standard_error(void)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
    }
    closefrom(STDERR_FILENO + 1);
}
#else
int lt_start_supervised(const char *path, char *const *words, char *const *environment)
{
    (void)path, (void)words, (void)environment;
    errno = ENOSYS;
    return -1;
}

void lt_keep_only_standard_error(void)
{
}
#endif

void lt_let_signals_end_this_process(void)
{
    const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t ending;
    sigemptyset(&ending);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        sigaddset(&ending, numbers[index]);
        signal(numbers[index], SIG_DFL);
    }
    sigprocmask(SIG_UNBLOCK, &ending, NULL);
}

const char *lt_signal_name(int number)
{
    const char *name = strsignal(number);
    return name ? name : "unknown signal";
}

void lt_end_by_signal(int number)
{
    // The program has written the core file, and another one would replace it.
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    // The first process of a container does not end by a signal. Shells use this status.
    _exit(128 + number);
}
