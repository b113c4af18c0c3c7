// A wait with an address in a register and nowhere else, as in an optimised function that uses a variable after a wait.
#pragma once

#include <stdint.h>

/// Waits in the kernel until `rs_end_wait` is called, with an address in the register rbx alone. The address is passed
/// inverted bit by bit. One thread at a time may wait.
void rs_wait_with_register(uintptr_t inverted);
void rs_end_wait(void);
