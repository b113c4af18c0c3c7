// A library in C that loads another library, so that the program itself calls neither dlopen nor dlsym for that one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LIBRARIES = 8 };

/// Loads libraries, whose paths are separated by colons, and calls their functions makeGuests now and whenever the
/// signal SIGUSR1 arrives. Prints a line `step` with a number after the calls.
void hostGuests(const char *paths) {
    sigset_t next;
    int received;
    sigemptyset(&next);
    sigaddset(&next, SIGUSR1);
    sigprocmask(SIG_BLOCK, &next, NULL);
    void (*make[MOST_LIBRARIES])(void);
    int count = 0;
    char *rest = strdup(paths), *path;
    while (count < MOST_LIBRARIES && (path = strsep(&rest, ":"))) {
        void *library = dlopen(path, RTLD_NOW);
        make[count] = library ? (void (*)(void))dlsym(library, "makeGuests") : NULL;
        if (!make[count++]) {
            printf("not loaded: %s\n", dlerror());
            fflush(stdout);
            return;
        }
    }
    for (int step = 1;; step++) {
        for (int index = 0; index < count; index++) make[index]();
        printf("step %d\n", step);
        fflush(stdout);
        sigwait(&next, &received);
    }
}
