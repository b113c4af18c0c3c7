#ifdef __linux__
#include "frozen_copy.h"

// The machine code of the agent, by which its threads and tasks are told from those of the program: the C library keeps
// the first function of a thread in the thread's descriptor, and the runtime that of a task in the task.

bool rp_has_agent(const rp_frozen_copy *frozen) {
    return frozen->request->tracer_code_count > 0;
}

bool rp_needs_tracer(const rp_frozen_copy *frozen) {
    return frozen->request->leaks || (frozen->request->line_count > 0 && rp_has_agent(frozen));
}

bool rp_visits_tracer(const rp_frozen_copy *frozen) {
    return frozen->request->leaks || frozen->threads.includes_own;
}

bool rp_is_code_of_tracer(const rp_frozen_copy *frozen, uintptr_t address) {
    const rp_request *request = frozen->request;
    for (uint32_t index = 0; index < request->tracer_code_count; index++) {
        rp_range code = request->tracer_code[index];
        if (address >= code.start && address < code.end) return true;
    }
    return false;
}

bool rp_names_code_of_tracer(const rp_frozen_copy *frozen, rp_range memory) {
    if (!rp_has_agent(frozen)) return false;
    for (uintptr_t at = memory.start; at + sizeof(uintptr_t) <= memory.end; at += sizeof(uintptr_t)) {
        if (rp_is_code_of_tracer(frozen, rp_read64(at))) return true;
    }
    return false;
}

#endif
