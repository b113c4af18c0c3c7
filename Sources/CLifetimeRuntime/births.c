// Births.
//
// Each step uses only resources of the thread's own stripe. If one is missing, the result names it, Swift code provides
// it outside the stripe, and the birth is retried.
#include "library_note.h"
#include "ids.h"
#include "ready.h"
#include "scopes.h"
#include "stack_walk.h"

// Returns the resource that a stripe lacks for a birth, or 0. The registry's room is checked first, because more of it
// may be refused.
static COLD int missing(const lt_stripe *stripe, uint32_t type, uint32_t total) {
    if (room_of(&stripe->counts[total]) == 0) return LT_NEEDS_TOTAL_ROOM;
    if (room_of(&stripe->counts[type]) == 0) return LT_NEEDS_ROOM;
    return stripe->free ? 0 : LT_NEEDS_RECORDS;
}

static void take_room(lt_count *count) {
    int64_t room = room_of(count) - 1;
    set_room(count, room, room < count->low ? room : count->low);
}

// Fills a free record for an instance that has been counted. The time is as in the second words of records.
static inline __attribute__((always_inline)) lt_handle fill_record(
    lt_stripe *stripe, const lt_context *context, uint64_t word0, uint64_t time
) {
    lt_record *place = stripe->free;
    stripe->free = (lt_record *)(uintptr_t)LOAD_RELAXED(&place->word0);
    // A reader that sees the new word1 also sees that the old word0 is gone.
    STORE_RELEASE(&place->word1, context->index | time);
    STORE_RELEASE(&place->word0, word0);
    return (uint64_t)(uintptr_t)place << (LT_PAYLOAD_SHIFT - 4) | context->wide_type;
}

// A call here, rather than the same code in place, also moves the stack frame of plain births out of the plain case.
static COLD void give_ready_back(lt_stripe *stripe) { earn_ready(stripe); }

// Records a birth with a valid id and time if the stripe, which the thread has entered, has the rest ready; returns
// false, without having done anything, if not. A type that is left out has no room, so that this need not check.
static inline __attribute__((always_inline)) bool record_ready_birth(
    lt_stripe *stripe, const lt_context *context, uint64_t next_word, uint64_t time, lt_handle *handle
) {
    // Safe: this is the offset of the type's counters, which all stripes have had since before the context existed.
    lt_count *count = (lt_count *)((char *)stripe->counts + context->count_offset);
    if (UNLIKELY(!spend_ready(stripe))) return false;
    if (UNLIKELY(!spend_room(count))) {
        give_ready_back(stripe);
        return false;
    }
    count->born++;
    stripe->next_word = next_word + 1;
    *handle = fill_record(stripe, context, next_word, time);
    return true;
}

// Records a birth with a valid id and time in any case; returns a handle, or the resource that is needed first.
static COLD lt_handle record_unready_birth(lt_stripe *stripe, const lt_context *context, uint64_t time) {
    settle_ready(stripe);
    if (context->type == LT_NO_TYPE) return 0;
    lt_count *count = &stripe->counts[context->type], *total = &stripe->counts[SHARED_TOTAL];
    int lack = missing(stripe, context->type, SHARED_TOTAL);
    if (lack) return (lt_handle)lack;
    count->born++;
    take_room(count);
    take_room(total);
    change_free_count(stripe, -1);
    lt_handle handle = fill_record(stripe, context, stripe->next_word++, time);
    make_ready(stripe);
    return handle;
}

// Records a birth that may need a new block of ids, the cycle counter, or a wait for another thread's claim; returns a
// handle, or the resource that is needed first.
static __attribute__((noinline)) lt_handle full_birth(lt_stripe *stripe, const lt_context *context) {
    enter_stripe(stripe);
    uint64_t time = time_of_birth();
    if (LIKELY(has_id(stripe, time))) {
        // The ids that were watched by the time are still valid, but no plain birth could tell.
        if (UNLIKELY(time != stripe->ids_stale_at)) stripe->ids_stale_at = LT_NEVER;
        watch_ids(stripe);
    } else if (UNLIKELY(reserve_ids(stripe, time))) {
        leave_stripe(stripe);
        lt_start_clock();
        return full_birth(stripe, context);
    }
    lt_handle handle;
    if (UNLIKELY(!record_ready_birth(stripe, context, stripe->next_word, time, &handle)))
        handle = record_unready_birth(stripe, context, time);
    leave_stripe(stripe);
    return LIKELY(handle) ? handle : lt_untraced_birth();
}

// Records a birth if the stripe, which the thread has entered, has all that it needs; returns false, without having
// done anything, if not. The caller leaves.
static inline __attribute__((always_inline)) bool plain_birth(
    lt_stripe *stripe, const lt_context *context, lt_handle *handle
) {
    // Never 0, because births have been plain since the thread entered: see `hide_time`.
    uint64_t time = LOAD_RELAXED(&lt_shared.now), next_word = stripe->next_word;
    return LIKELY(has_plain_id(stripe, next_word)) && record_ready_birth(stripe, context, next_word, time, handle);
}

static inline __attribute__((always_inline)) lt_handle birth_in_stripe(lt_stripe *stripe, const lt_context *context) {
    lt_handle handle;
    if (UNLIKELY(!enter_unless(stripe, LT_NO_PLAIN_ENTRY | LT_BIRTHS_WITHOUT_CLOCK))
        || UNLIKELY(!plain_birth(stripe, context, &handle)))
        return full_birth(stripe, context);
    leave_stripe(stripe);
    return handle;
}

static inline __attribute__((always_inline)) lt_handle shared_birth(const lt_context *context) {
    lt_stripe *stripe = lt_own_stripe();
    return LIKELY(stripe) ? birth_in_stripe(stripe, context) : LT_NEEDS_STRIPE;
}

// The stack of the last birth, in case Swift code completes that birth: a walk from there would give another stack.
static THREAD_LOCAL lt_stack walked;
static THREAD_LOCAL bool is_walked;

bool lt_take_walked_stack(lt_stack *stack) {
    if (!is_walked) return false;
    is_walked = false;
    *stack = walked;
    return true;
}

void lt_drop_walked_stack(void) { is_walked = false; }

// A type that is left out has one context at a site, for all stacks.
static COLD const lt_context *left_out_context(const void *metatype, const void *file, uint64_t line) {
    const lt_context *context = find_context(&lt_shared_registry, metatype, file, line);
    return context && context->type == LT_NO_TYPE ? context : NULL;
}

static __attribute__((noinline)) lt_handle birth_after_walk(
    const void *metatype, const void *file, uint64_t line, const uintptr_t *frame, lt_known_stack *known
) {
    lt_walk_frames(frame, &walked, known);
    const lt_context *context = find_context(&lt_shared_registry, metatype, file, line | walked.hash);
    if (UNLIKELY(!context)) context = left_out_context(metatype, file, line);
    lt_handle handle = LIKELY(context) ? shared_birth(context) : LT_NEEDS_CONTEXT;
    is_walked = handle < LT_FIRST_TYPE;
    if (known && context) remember_context(known, metatype, file, line, context);
    return handle;
}

// Records a birth with the stack whose innermost frame is given.
static inline __attribute__((always_inline)) lt_handle birth_with_stack(
    const void *metatype, const void *file, uint64_t line, const uintptr_t *frame
) {
    lt_stripe *stripe = lt_own_stripe();
    if (UNLIKELY(!stripe)) return birth_after_walk(metatype, file, line, frame, NULL);
    lt_known_stack *known = known_stack(stripe, frame);
    if (UNLIKELY(!known || !is_known(known, frame, metatype, file, line)))
        return birth_after_walk(metatype, file, line, frame, known);
    lt_handle handle = birth_in_stripe(stripe, known->context);
    // The Swift code that completes the birth must use exactly this stack.
    return LIKELY(handle >= LT_FIRST_TYPE) ? handle : birth_after_walk(metatype, file, line, frame, known);
}

static lt_handle birth_without_stack(const void *metatype, const void *file, uint64_t line) {
    const lt_context *context = find_context(&lt_shared_registry, metatype, file, line);
    return LIKELY(context) ? shared_birth(context) : LT_NEEDS_CONTEXT;
}

// Records a birth that needs more than the stripe has ready.
static __attribute__((noinline)) lt_handle birth_after_lack(
    lt_stripe *stripe, const lt_context *context, lt_birth_completion complete
) {
    lt_handle handle = full_birth(stripe, context);
    if (LIKELY(handle >= LT_FIRST_TYPE)) return handle;
    return complete((uintptr_t)context->metatype, (uintptr_t)context->file, (intptr_t)context->line_and_stack);
}

// Records a birth if the stripe, which the thread has entered, has all that it needs, also if no thread keeps the time;
// returns false, without having done anything, if not. The caller leaves.
static inline __attribute__((always_inline)) bool timed_birth(
    lt_stripe *stripe, const lt_context *context, lt_handle *handle
) {
    uint64_t time = LOAD_RELAXED(&lt_shared.now);
    if (!time) time = ticks_of_birth();
    return LIKELY(has_id(stripe, time)) && record_ready_birth(stripe, context, stripe->next_word, time, handle);
}

// Records a birth beside scopes of others; returns a handle, or the resource that is needed first.
static inline __attribute__((always_inline)) lt_handle birth_beside_scopes(
    const void *metatype, const void *file, uint64_t line
) {
    lt_stripe *stripe = lt_own;
    lt_handle handle;
    const lt_context *context = first_context(&lt_shared_registry, metatype, file, line);
    if (LIKELY(is_context_of(context, metatype, file, line))
        && LIKELY(enter_unless(stripe, LT_NO_PLAIN_ENTRY)) && LIKELY(timed_birth(stripe, context, &handle))) {
        leave_stripe(stripe);
        return handle;
    }
    leave_stripe(stripe);
    return birth_without_stack(metatype, file, line);
}

// Records a birth in any case. The thread may be inside its stripe.
//
// Has the frame at which a creation stack begins. So it must not be called from another function of this file, unless
// that call is a jump.
#ifdef __OPTIMIZE__
static __attribute__((noinline))
#else
static inline __attribute__((always_inline))
#endif
lt_handle birth_in_mode(uintptr_t type, uintptr_t site_file, intptr_t line, lt_birth_completion complete) {
    leave_stripe(lt_own);
    const void *metatype = (const void *)type, *file = (const void *)site_file;
    uint32_t mode = lt_mode();
    lt_handle handle;
    if (UNLIKELY(mode & LT_MODE_OFF)) handle = lt_own_stripe() ? lt_untraced_birth() : LT_NEEDS_STRIPE;
    // The completion records births in a scope.
    else if (mode >= LT_MODE_SCOPE && has_scope()) handle = LT_NEEDS_CONTEXT;
    else if (mode & LT_MODE_STACKS)
        handle = birth_with_stack(metatype, file, (uint64_t)line, __builtin_frame_address(0));
    else handle = birth_beside_scopes(metatype, file, (uint64_t)line);
    return LIKELY(handle >= LT_FIRST_TYPE) ? handle : complete(type, site_file, line);
}

// Like `birth_in_mode`, the frame at which a creation stack begins.
lt_handle lt_birth_outside(uintptr_t type, uintptr_t site_file, intptr_t line, lt_birth_completion complete) {
    lt_stripe *stripe = lt_own;
    const void *metatype = (const void *)type, *file = (const void *)site_file;
    uint32_t claim = LOAD_ACQUIRE(&stripe->claim);
    // With these bits, the thread is inside its stripe.
    if (claim & ~(uint32_t)(LT_BIRTHS_WITH_STACKS | LT_BIRTHS_WITHOUT_CLOCK))
        return birth_in_mode(type, site_file, line, complete);
    lt_handle handle;
    if (claim & LT_BIRTHS_WITH_STACKS) {
        const lt_context *context =
            context_of_known_stack(stripe, __builtin_frame_address(0), metatype, file, (uint64_t)line);
        if (UNLIKELY(!context) || UNLIKELY(!timed_birth(stripe, context, &handle)))
            return birth_in_mode(type, site_file, line, complete);
    } else {
        const lt_context *context = first_context(&lt_shared_registry, metatype, file, (uint64_t)line);
        if (UNLIKELY(!is_context_of(context, metatype, file, (uint64_t)line)))
            return birth_in_mode(type, site_file, line, complete);
        if (UNLIKELY(!timed_birth(stripe, context, &handle))) return birth_after_lack(stripe, context, complete);
    }
    leave_stripe(stripe);
    return handle;
}

// Records a birth whose context is not in the first slot.
static __attribute__((noinline)) lt_handle birth_after_search(
    uintptr_t metatype, uintptr_t file, intptr_t line, lt_birth_completion complete, lt_stripe *stripe
) {
    leave_stripe(stripe);
    lt_handle handle = birth_without_stack((const void *)metatype, (const void *)file, (uint64_t)line);
    return LIKELY(handle >= LT_FIRST_TYPE) ? handle : complete(metatype, file, line);
}

lt_handle lt_birth_inside(
    uintptr_t type, uintptr_t site_file, intptr_t line, lt_birth_completion complete, lt_stripe *stripe
) {
    const void *metatype = (const void *)type, *file = (const void *)site_file;
    const lt_context *context = first_context(&lt_shared_registry, metatype, file, (uint64_t)line);
    if (UNLIKELY(!is_context_of(context, metatype, file, (uint64_t)line)))
        return birth_after_search(type, site_file, line, complete, stripe);
    lt_handle handle;
    // The context leads to the other arguments, so that their registers are free until here.
    if (UNLIKELY(!plain_birth(stripe, context, &handle))) return birth_after_lack(stripe, context, complete);
    leave_stripe(stripe);
    return handle;
}

lt_handle lt_birth_in(const lt_context *context, uint64_t time) {
    lt_registry *registry = context->registry;
    if (!registry->is_scoped) return shared_birth(context);
    lt_stripe *stripe = lt_own_stripe();
    if (!stripe) return LT_NEEDS_STRIPE;
    enter_settled(stripe);
    lt_handle result = missing(stripe, context->type, registry->total);
    if (!result) {
        stripe->counts[context->type].born++;
        take_room(&stripe->counts[context->type]);
        take_room(&stripe->counts[registry->total]);
        uint64_t id = __atomic_add_fetch(&registry->reserved, 1, __ATOMIC_RELAXED);
        change_free_count(stripe, -1);
        result = fill_record(stripe, context, LT_LIVE | LT_SCOPED | id, time << LT_CONTEXT_BITS);
    }
    leave_stripe(stripe);
    return result;
}
