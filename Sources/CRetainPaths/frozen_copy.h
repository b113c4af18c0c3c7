// The state of one search in the frozen copy. Each part of the state belongs to one folder, whose header describes the
// part. A folder uses only the folders before it: Process, Heap, Scan, Roots, Census, Search,
// Answer, Retained, Leaks, Copy.
#pragma once

#include "Answer/writing.h"
#include "Census/census.h"
#include "Retained/graph.h"

/// What the watchdog saw at its last look.
typedef struct rp_watch {
    /// The value of `rp_scan_guard.scans`, and the number of intervals without a change.
    uint64_t scans;
    uint32_t intervals;
    /// The processor time of the copy in nanoseconds, and the number of its voluntary context switches.
    uint64_t time, waits;
} rp_watch;

struct rp_frozen_copy {
    const rp_request *request;
    rp_answer *answer;
    const rp_samples *samples;
    uint64_t started_at;
    /// The place to continue if memory runs out, or if the frozen copy cannot give an answer.
    jmp_buf give_up;
    /// Where the used part of the stack begins on the thread that made the copy.
    uintptr_t own_stack;

    rp_memory memory;
    rp_process process;
    rp_page_map pages;
    rp_claims claims;
    rp_heap heap;
    rp_types types;
    rp_totals totals;
    rp_scan_guard guard;
    rp_tasks tasks;
    rp_locked locked;
    rp_threads threads;
    rp_targets targets;
    rp_search search;
    rp_large_blocks large_blocks;
    rp_line_table lines;
    rp_graph graph;
    rp_watch watch;
};

static inline const rp_slot *rp_slots_of(const rp_frozen_copy *frozen, const rp_layout *layout) {
    return frozen->request->layouts->slots + layout->first_slot;
}

static inline const rp_layout *rp_layout_at(const rp_frozen_copy *frozen, rp_layout_index index) {
    return index ? frozen->request->layouts->layouts + index : NULL;
}
