#define _GNU_SOURCE

#include "registers.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_open;

void rs_wait_with_register(uintptr_t inverted) {
#ifdef __x86_64__
    while (!__atomic_load_n(&is_open, __ATOMIC_ACQUIRE)) {
        long result = SYS_futex;
        register long timeout __asm__("r10") = 0;
        __asm__ volatile("not %%rbx\n\tsyscall\n\tnot %%rbx"
                         : "+a"(result), "+b"(inverted)
                         : "D"(&is_open), "S"(FUTEX_WAIT_PRIVATE), "d"(0), "r"(timeout)
                         : "rcx", "r11", "memory");
    }
#else
    (void)inverted;
#endif
    __atomic_store_n(&is_open, 0, __ATOMIC_RELEASE);
}

void rs_end_wait(void) {
    __atomic_store_n(&is_open, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &is_open, FUTEX_WAKE_PRIVATE, 1);
}
