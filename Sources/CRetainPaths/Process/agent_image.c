#include "CRetainPaths.h"

// The image of the agent. A variable of C, because it is set before the program's code runs, when an allocation would
// change which blocks malloc gives to the program.

static uintptr_t variable_of_agent;

void rp_declare_agent(const void *variable) {
    __atomic_store_n(&variable_of_agent, (uintptr_t)variable, __ATOMIC_RELAXED);
}

uintptr_t rp_variable_of_agent(void) {
    return __atomic_load_n(&variable_of_agent, __ATOMIC_RELAXED);
}
