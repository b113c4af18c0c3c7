// A program with a single thread that calls `exit` in the handler of a signal that interrupts malloc. C does not allow
// that, but it works, because malloc takes no locks without threads.
//
// It is written in C, because most of its time must pass in malloc.
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static void end(int number)
{
    (void)number;
    exit(5);
}

int main(void)
{
    enum { BLOCKS = 64 };
    static void *blocks[BLOCKS];
    signal(SIGALRM, end);
    const struct itimerval timer = {.it_value = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &timer, NULL);
    for (unsigned count = 0;; count++) {
        free(blocks[count % BLOCKS]);
        blocks[count % BLOCKS] = malloc(16 + count % 3000);
    }
}
