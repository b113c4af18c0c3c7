#ifdef __linux__
#include "Scan/scan.h"

// The state of libdispatch's sources (struct dispatch_unote_class_s in src/event/event_internal.h): a type, and the
// address of the source, inverted bit by bit. libdispatch's timer heap refers to the states of running timers. A task
// that sleeps with a tolerance has such a source, whose context is a pair of the source and the task (struct
// __swift_job_source in stdlib/public/Concurrency/DispatchGlobalExecutor.cpp).

enum {
    OWNER = 8,
    SMALLEST_STATE = 64,
    LARGEST_SOURCE = 512,
    JOB = 8,
};

static void report_job(const rp_place *at, uintptr_t pair, uintptr_t source) {
    if (!rp_is_readable(at->frozen, pair, JOB + sizeof(uintptr_t)) || rp_read64(pair) != source) return;
    uint32_t task = rp_block_at(at->frozen, rp_read64(pair + JOB));
    if (task == RP_NO_BLOCK || at->frozen->types.list[at->frozen->heap.blocks[task].type].node != RP_NODE_TASK) return;
    rp_report_edge(at, task, OWNER, 0, RP_EDGE_CONSERVATIVE, 0);
}

void rp_scan_source_state(const rp_place *at) {
    if (at->end < SMALLEST_STATE) return;
    uintptr_t source = ~rp_word_at(at, OWNER);
    uint32_t block = rp_block_at(at->frozen, source);
    if (block == RP_NO_BLOCK || at->frozen->heap.blocks[block].type) return;
    uint32_t size = at->frozen->heap.blocks[block].size;
    if (size > LARGEST_SOURCE) return;
    bool is_source = false;
    for (uint32_t offset = 0; offset + sizeof(uintptr_t) <= size; offset += sizeof(uintptr_t)) {
        is_source |= rp_read64(source + offset) == at->base;
    }
    if (!is_source) return;
    for (uint32_t offset = 0; offset + sizeof(uintptr_t) <= size; offset += sizeof(uintptr_t)) {
        uintptr_t word = rp_read64(source + offset);
        if (word % sizeof(uintptr_t) == 0 && word >= at->frozen->heap.start && word < at->frozen->heap.end) {
            report_job(at, word, source);
        }
    }
}

#endif
