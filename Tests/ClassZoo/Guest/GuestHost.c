// A library in C that loads another library, so that the program itself calls neither dlopen nor dlsym for that one.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/// Loads a library, and calls its function makeGuests now and whenever the signal SIGUSR1 arrives. Prints a line `step`
/// with a number after each call.
void hostGuests(const char *path) {
    sigset_t next;
    int received;
    sigemptyset(&next);
    sigaddset(&next, SIGUSR1);
    sigprocmask(SIG_BLOCK, &next, NULL);
    void *library = dlopen(path, RTLD_NOW);
    void (*make)(void) = library ? (void (*)(void))dlsym(library, "makeGuests") : NULL;
    if (!make) {
        printf("not loaded: %s\n", dlerror());
        fflush(stdout);
        return;
    }
    for (int step = 1;; step++) {
        make();
        printf("step %d\n", step);
        fflush(stdout);
        sigwait(&next, &received);
    }
}
