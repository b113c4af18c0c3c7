// Calls functions of the tracer on a larger stack if the thread has a small one.
//
// A program may give a thread a stack of 16 KB, which suffices for its own code. The first birth of a class needs more:
// Swift's runtime builds the name of the class. The call stays on the thread, whose variables the tracer uses.
#define _GNU_SOURCE
#include "roomy_stack.h"

#include <stdint.h>

#if defined(__linux__) && defined(__GLIBC__)
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    /// The bytes of stack with which the functions certainly get along.
    ENOUGH = 96 << 10,
    LARGER_STACK = 256 << 10,
};

/// The lowest address of the thread's stack; 1 if it is not known, or the stack of the first thread, which grows.
static _Thread_local uintptr_t lowest __attribute__((tls_model("initial-exec")));

static uintptr_t find_lowest(void) {
    pthread_attr_t attributes;
    // For the first thread, the C library would read /proc/self/maps.
    if (gettid() == getpid() || pthread_getattr_np(pthread_self(), &attributes) != 0) return 1;
    void *start = NULL;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    // A handler of signals may have a stack of its own.
    return here - (uintptr_t)start < size ? (uintptr_t)start : 1;
}

static bool is_roomy(void) {
    if (!lowest) lowest = find_lowest();
    const uintptr_t left = (uintptr_t)__builtin_frame_address(0) - lowest;
    // Also true on a stack of another kind below the thread's own.
    return left >= ENOUGH;
}

/// What lies at the end of the larger stack.
typedef struct lt_visit {
    ucontext_t outer, inner;
    uint64_t (*body)(const void *);
    const void *argument;
    uint64_t result;
} lt_visit;

/// The two halves of the visit's address, because the functions of a context have arguments of type int.
static void run(unsigned int high, unsigned int low) {
    lt_visit *visit = (lt_visit *)((uintptr_t)high << 32 | low);
    visit->result = visit->body(visit->argument);
}

static __attribute__((noinline)) uint64_t call_elsewhere(uint64_t (*body)(const void *), const void *argument) {
    char *memory = mmap(NULL, LARGER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return body(argument);
    lt_visit *visit = (lt_visit *)(void *)(memory + LARGER_STACK - sizeof *visit / 64 * 64 - 64);
    visit->body = body;
    visit->argument = argument;
    getcontext(&visit->inner);
    visit->inner.uc_stack.ss_sp = memory;
    visit->inner.uc_stack.ss_size = (size_t)((char *)visit - memory);
    visit->inner.uc_link = &visit->outer;
    const uintptr_t address = (uintptr_t)visit;
    makecontext(&visit->inner, (void (*)(void))run, 2, (unsigned int)(address >> 32), (unsigned int)address);
    swapcontext(&visit->outer, &visit->inner);
    const uint64_t result = visit->result;
    munmap(memory, LARGER_STACK);
    return result;
}

uint64_t lt_call_with_room(uint64_t (*body)(const void *), const void *argument) {
    return __builtin_expect(is_roomy(), 1) ? body(argument) : call_elsewhere(body, argument);
}
#else
uint64_t lt_call_with_room(uint64_t (*body)(const void *), const void *argument) {
    return body(argument);
}
#endif
