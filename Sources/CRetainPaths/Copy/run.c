#ifdef __linux__
#define _GNU_SOURCE

#include "Copy/copy.h"
#include "Leaks/leaks.h"
#include "Retained/retained.h"

#include <time.h>

// The steps of a search for holders, of a census, and of a search for leaks, which may also compute retained sizes.

uint64_t rp_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void enter_phase(rp_frozen_copy *frozen, uint32_t phase) {
    __atomic_store_n(&frozen->answer->phase, phase, __ATOMIC_RELAXED);
}

static uint64_t elapsed(const rp_frozen_copy *frozen) {
    return rp_now() - frozen->started_at;
}

static bool needs_layouts(const rp_frozen_copy *frozen) {
    const rp_answer *answer = frozen->answer;
    uint32_t unknown =
        answer->unknown_type_count + answer->unknown_context_count + answer->unknown_variable_count;
    return !frozen->request->is_last_round && unknown > 0;
}

/// Ends the copy if layouts are missing, or if it was a preview.
static void end_without_answer(rp_frozen_copy *frozen) {
    if (needs_layouts(frozen)) rp_give_up(frozen, RP_STATE_NEEDS_LAYOUTS, 0);
    if (frozen->heap.is_preview) rp_give_up(frozen, RP_STATE_PREVIEWED, 0);
}

static void walk(rp_frozen_copy *frozen) {
    enter_phase(frozen, RP_PHASE_WALKING);
    rp_read_mappings(frozen);
    rp_open_page_map(frozen);
    rp_find_heap_parts(frozen);
    rp_walk_heap(frozen);
    rp_classify_blocks(frozen);
}

static void take_census(rp_frozen_copy *frozen) {
    rp_counts *counts = &frozen->answer->counts;
    walk(frozen);
    rp_prepare_lines(frozen, frozen->request->census);
    rp_settle_known_blocks(frozen);
    rp_settle_metadata(frozen);
    rp_prepare_roots(frozen);
    counts->walked_at = elapsed(frozen);
    if (needs_layouts(frozen)) rp_give_up(frozen, RP_STATE_NEEDS_LAYOUTS, 0);

    enter_phase(frozen, RP_PHASE_COUNTING);
    rp_find_context_functions(frozen);
    counts->types = frozen->types.count - 1;
    counts->counted_at = elapsed(frozen);
    end_without_answer(frozen);
    rp_settle_metadata(frozen);
    rp_count_blocks(frozen);
    frozen->answer->state = RP_STATE_DONE;
}

/// Counts all references, as every search does.
static void count_references(rp_frozen_copy *frozen) {
    rp_counts *counts = &frozen->answer->counts;
    rp_retained *retained = frozen->request->retained;
    walk(frozen);
    rp_find_requesting_tasks(frozen);
    bool has_lines = retained || frozen->request->line_count > 0;
    if (has_lines) {
        rp_prepare_lines(frozen, retained ? &retained->census : rp_take(frozen, sizeof(rp_census)));
        rp_settle_known_blocks(frozen);
        rp_settle_metadata(frozen);
    } else {
        rp_skip_metadata(frozen);
        rp_skip_file_buffers(frozen);
        rp_skip_caches(frozen);
        rp_find_threads(frozen);
    }
    rp_clear_words_of_sleeps(frozen);
    rp_clear_words_of_handlers(frozen);
    rp_clear_words_of_labels(frozen);
    rp_clear_words_of_metadata_tables(frozen);
    rp_prepare_roots(frozen);
    if (!rp_chooses_targets_late(frozen)) rp_find_targets(frozen);
    counts->walked_at = elapsed(frozen);
    if (needs_layouts(frozen)) rp_give_up(frozen, RP_STATE_NEEDS_LAYOUTS, 0);

    enter_phase(frozen, RP_PHASE_COUNTING);
    rp_count_references(frozen);
    counts->types = frozen->types.count - 1;
    counts->counted_at = elapsed(frozen);
    end_without_answer(frozen);

    enter_phase(frozen, RP_PHASE_SEARCHING);
    if (retained) {
        rp_settle_metadata(frozen);
        rp_number_contexts(frozen);
    } else {
        rp_skip_metadata(frozen);
    }
    rp_prepare_retained(frozen);
    rp_prepare_search(frozen);
}

static void search(rp_frozen_copy *frozen) {
    count_references(frozen);
    if (rp_chooses_targets_late(frozen)) {
        rp_find_tracer_blocks(frozen);
        rp_find_targets(frozen);
        rp_find_holders(frozen);
    }
    rp_search_from_roots(frozen, RP_ROOTS_DATA | RP_ROOTS_RUNNING_BLOCKS);
    rp_search_from_roots(frozen, RP_ROOTS_THREADS_AND_ANONYMOUS);
    if (rp_any_unreached_target(frozen)) rp_search_doubtful(frozen);
    frozen->answer->counts.searched_at = elapsed(frozen);
    rp_write_results(frozen);
    rp_find_functions(frozen);
    rp_list_tasks(frozen);
    frozen->answer->state = RP_STATE_DONE;
}

static void search_for_leaks(rp_frozen_copy *frozen) {
    count_references(frozen);
    rp_find_leaks(frozen);
    if (frozen->request->leaks->look == RP_LOOK_FIRST) {
        rp_list_tasks(frozen);
        rp_mark_unreached_tasks(frozen);
    }
    rp_measure_retained(frozen);
    frozen->answer->counts.searched_at = elapsed(frozen);
    rp_find_functions(frozen);
    frozen->answer->state = RP_STATE_DONE;
}

void rp_run_search(rp_frozen_copy *frozen) {
    if (setjmp(frozen->give_up) == 0) {
        if (frozen->request->census) {
            take_census(frozen);
        } else if (frozen->request->leaks) {
            search_for_leaks(frozen);
        } else {
            search(frozen);
        }
    }
    frozen->answer->counts.ended_at = elapsed(frozen);
}

#endif
