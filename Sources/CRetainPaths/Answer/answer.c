#ifdef __linux__
#define _GNU_SOURCE

#include "CRetainPaths.h"
#include "Process/shared_memory.h"

// The memory that the program and the frozen copy share.

static size_t size_for(uint32_t target_count) {
    return sizeof(rp_answer) + target_count * sizeof(rp_result);
}

rp_answer *rp_make_answer(uint32_t target_count) {
    return rp_map_shared(size_for(target_count));
}

void rp_free_answer(rp_answer *answer, uint32_t target_count) {
    munmap(answer, size_for(target_count));
}

uint32_t rp_current_phase(const rp_answer *answer) {
    return __atomic_load_n(&answer->phase, __ATOMIC_RELAXED);
}

const uintptr_t *rp_unknown_types(const rp_answer *answer) {
    return answer->unknown_types;
}

const rp_unknown_context *rp_unknown_contexts(const rp_answer *answer) {
    return answer->unknown_contexts;
}

const rp_range *rp_unknown_variables(const rp_answer *answer) {
    return answer->unknown_variables;
}

const uintptr_t *rp_context_bindings(const rp_unknown_context *context) {
    return context->bindings;
}

const rp_result *rp_result_at(const rp_answer *answer, uint32_t index) {
    return answer->results + index;
}

const rp_step *rp_steps(const rp_result *result) {
    return result->steps;
}

const rp_step *rp_holders(const rp_result *result) {
    return result->holders;
}

const rp_step *rp_owners(const rp_result *result, uint32_t holder) {
    return result->owners[holder];
}

uint32_t rp_owner_count(const rp_result *result, uint32_t holder) {
    return result->owner_counts[holder];
}

const char *rp_key_bytes(const rp_step *step) {
    return step->key;
}

const uintptr_t *rp_step_functions(const rp_step *step) {
    return step->functions;
}

const rp_name_index *rp_step_names(const rp_step *step) {
    return step->names;
}

#endif
