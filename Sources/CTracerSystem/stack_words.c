#include "CTracerSystem.h"

#include <string.h>

__attribute__((noinline)) void lt_clear_stack(void)
{
    // Larger than the frames with which a thread begins, and small for any stack.
    char words[8192];
    memset(words, 0, sizeof words);
    // The compiler must assume that the words are read.
    __asm__ volatile("" : : "r"(words) : "memory");
}
