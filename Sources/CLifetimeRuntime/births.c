// Births.
//
// Each step uses only resources of the thread's own stripe. If one is missing, the result names it, Swift code provides
// it outside the stripe, and the birth is retried.
#include "library_note.h"
#include "birth_clock.h"
#include "contexts.h"
#include "stack_walk.h"
#include "stripe_entry.h"

uint32_t lt_mode_bits;

void lt_set_mode(uint32_t bit, bool is_on) {
    if (is_on) __atomic_or_fetch(&lt_mode_bits, bit, __ATOMIC_RELAXED);
    else __atomic_and_fetch(&lt_mode_bits, ~bit, __ATOMIC_RELAXED);
}

void lt_add_scopes(int32_t change) {
    __atomic_add_fetch(&lt_mode_bits, (uint32_t)change * LT_MODE_SCOPE, __ATOMIC_RELAXED);
}

bool lt_has_stacks(const lt_registry *registry) { return LOAD_RELAXED(&registry->has_stacks); }

void lt_set_stacks(lt_registry *registry, bool is_on) {
    STORE_RELAXED(&registry->has_stacks, is_on);
    if (!registry->is_scoped) lt_set_mode(LT_MODE_STACKS, is_on);
}

// The number of untraced instances whose deaths must be reported.
int64_t lt_untraced_watches;

void lt_add_untraced_watches(int64_t change) { __atomic_add_fetch(&lt_untraced_watches, change, __ATOMIC_SEQ_CST); }

static COLD void reserve_untraced(lt_stripe *stripe) {
    enum { BLOCK = 4096 };
    static uint64_t reserved = 1;
    stripe->next_untraced = __atomic_fetch_add(&reserved, BLOCK, __ATOMIC_RELAXED);
    stripe->end_untraced = stripe->next_untraced + BLOCK;
}

lt_handle lt_untraced_birth(void) {
    lt_stripe *stripe = lt_own;
    if (!stripe) return LT_UNTRACED;
    if (stripe->next_untraced == stripe->end_untraced) reserve_untraced(stripe);
    return stripe->next_untraced++ << LT_PAYLOAD_SHIFT | LT_UNTRACED;
}

// Ids rise with births, also across threads: a thread uses its reserved ids only while no other thread has been given
// higher ones. If several threads take turns within microseconds, that would cost a shared cache line at each birth. So
// then a thread may go on using its reserved ids until the time of births changes, at most for a step of the clock.
static inline __attribute__((always_inline)) bool has_id(
    const lt_stripe *stripe, const lt_registry *registry, uint64_t time
) {
    return LIKELY(stripe->next_word <= stripe->last_word)
        && (time == stripe->ids_stale_at || LIKELY(LOAD_RELAXED(&registry->reserved) == stripe->last_id));
}

// Returns whether the clock thread should be started.
static COLD bool reserve_ids(lt_stripe *stripe, uint64_t time) {
    enum { LONGEST_BLOCK = 1024, CONTENDED = 8 * 64, SOON = 1 << 10 };
    lt_registry *registry = &lt_shared_registry;
    uint64_t ticks = read_ticks();
    bool others_were_here = LOAD_RELAXED(&registry->reserved) != stripe->last_id;
    // Threads that hand objects to each other between births take longer than the 400 ns (at 2.5 GHz) of "soon".
    uint64_t births = stripe->ids_block - (stripe->last_word + 1 - stripe->next_word);
    bool is_soon = ticks - stripe->ids_reserved_at < (births + 1) * SOON;
    if (!is_soon) stripe->ids_contended = 0;
    else if (others_were_here) stripe->ids_contended += stripe->ids_contended < 2 * CONTENDED ? 8 : 0;
    // One round without other threads says little, because they may be using up their reserved ids.
    else stripe->ids_contended -= stripe->ids_contended > 0;
    bool is_contended = stripe->ids_contended >= CONTENDED;
    if (is_contended) stripe->ids_block = LONGEST_BLOCK;
    else if (others_were_here || !stripe->ids_block) stripe->ids_block = 1;
    else if (stripe->ids_block < LONGEST_BLOCK) stripe->ids_block *= 2;
    stripe->last_id = __atomic_add_fetch(&registry->reserved, stripe->ids_block, __ATOMIC_RELAXED);
    stripe->last_word = LT_LIVE | stripe->last_id;
    stripe->next_word = stripe->last_word - stripe->ids_block + 1;
    stripe->ids_reserved_at = ticks;
    stripe->ids_stale_at = is_contended ? time : LT_NEVER;
    return note_births(stripe, births, ticks);
}

void lt_return_ids(lt_stripe *stripe) {
    lt_registry *registry = &lt_shared_registry;
    uint64_t unused = stripe->last_word + 1 - stripe->next_word;
    if (unused && LOAD_RELAXED(&registry->reserved) == stripe->last_id)
        STORE_RELAXED(&registry->reserved, stripe->last_id - unused);
    stripe->next_word = stripe->last_word + 1;
}

// Returns the resource that a stripe lacks for a birth, or 0. The registry's room is checked first, because more of it
// may be refused.
static COLD int missing(const lt_stripe *stripe, uint32_t type, uint32_t total) {
    if (type >= stripe->count_size || total >= stripe->count_size) return LT_NEEDS_COUNTS;
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
    stripe->free_count--;
    // A reader that sees the new word1 also sees that the old word0 is gone.
    STORE_RELEASE(&place->word1, context->index | time);
    STORE_RELEASE(&place->word0, word0);
    return (uint64_t)(uintptr_t)place << (LT_PAYLOAD_SHIFT - 4) | context->type;
}

enum { SHARED_TOTAL = LT_FIRST_TYPE };

// Counts a birth that lowers the least room, or that lacks a resource.
static COLD int count_shared_birth(lt_stripe *stripe, uint32_t type) {
    int lack = missing(stripe, type, SHARED_TOTAL);
    if (lack) return lack;
    stripe->counts[type].born++;
    take_room(&stripe->counts[type]);
    take_room(&stripe->counts[SHARED_TOTAL]);
    return 0;
}

// A type that is left out has no room at its index, so births look for it only after they have found no room.
static COLD lt_handle left_out_birth(lt_stripe *stripe) {
    leave_stripe(stripe);
    return lt_untraced_birth();
}

// Counts a birth and fills its record if the stripe has all that it needs; the thread is inside the stripe and has an
// id. Returns false, without having done anything, if not.
static inline __attribute__((always_inline)) bool record_ready_birth(
    lt_stripe *stripe, const lt_context *context, uint64_t time, lt_handle *handle
) {
    uint32_t type = context->type;
    lt_count *count = &stripe->counts[type], *total = &stripe->counts[SHARED_TOTAL];
    // The total has the lowest index, so it has a counter if the type has one.
    if (UNLIKELY(type >= stripe->count_size || !total->spare || !count->spare || !stripe->free)) return false;
    count->born++;
    change_spare_room(count, -1);
    change_spare_room(total, -1);
    *handle = fill_record(stripe, context, stripe->next_word++, time);
    return true;
}

// Records a birth that may need a new block of ids, the cycle counter, or a wait for another thread's claim; returns a
// handle, or the resource that is needed first.
static __attribute__((noinline)) lt_handle full_birth(lt_stripe *stripe, const lt_context *context) {
    enter_stripe(stripe);
    uint64_t time = time_of_birth();
    if (UNLIKELY(!has_id(stripe, &lt_shared_registry, time)) && UNLIKELY(reserve_ids(stripe, time))) {
        leave_stripe(stripe);
        lt_start_clock();
        return full_birth(stripe, context);
    }
    lt_handle handle;
    if (UNLIKELY(!record_ready_birth(stripe, context, time, &handle))) {
        if (context->type == LT_NO_TYPE) return left_out_birth(stripe);
        handle = (lt_handle)count_shared_birth(stripe, context->type);
        if (!handle) handle = fill_record(stripe, context, stripe->next_word++, time);
    }
    leave_stripe(stripe);
    return handle;
}

// Records a birth and sets the handle; returns false, without having done anything, if the birth needs more than the
// stripe has ready.
static inline __attribute__((always_inline)) bool plain_birth(
    lt_stripe *stripe, const lt_context *context, lt_handle *handle
) {
    bool is_recorded = false;
    if (LIKELY(enter_plainly(stripe))) {
        uint64_t time = LOAD_RELAXED(&lt_clock_word.now);
        is_recorded = time && has_id(stripe, &lt_shared_registry, time)
            && record_ready_birth(stripe, context, time, handle);
    }
    leave_stripe(stripe);
    return is_recorded;
}

static inline __attribute__((always_inline)) lt_handle birth_in_stripe(lt_stripe *stripe, const lt_context *context) {
    lt_handle handle;
    return LIKELY(plain_birth(stripe, context, &handle)) ? handle : full_birth(stripe, context);
}

static inline __attribute__((always_inline)) lt_handle shared_birth(const lt_context *context) {
    lt_stripe *stripe = lt_own;
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
    lt_stripe *stripe = lt_own;
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

lt_handle lt_birth_in_mode(uintptr_t type, uintptr_t site_file, intptr_t line, lt_birth_completion complete) {
    const void *metatype = (const void *)type, *file = (const void *)site_file;
    uint32_t mode = lt_mode();
    lt_handle handle;
    if (mode & LT_MODE_OFF) handle = lt_own ? lt_untraced_birth() : LT_NEEDS_STRIPE;
    // The completion records births in a scope. A scope of another task costs only this lookup.
    else if (mode >= LT_MODE_SCOPE && lt_scope()) handle = LT_NEEDS_CONTEXT;
    else if (mode & LT_MODE_STACKS)
        handle = birth_with_stack(metatype, file, (uint64_t)line, __builtin_frame_address(0));
    else handle = birth_without_stack(metatype, file, (uint64_t)line);
    return LIKELY(handle >= LT_FIRST_TYPE) ? handle : complete(type, site_file, line);
}

// Records a birth whose context is not in the first slot.
static __attribute__((noinline)) lt_handle birth_after_search(
    uintptr_t metatype, uintptr_t file, intptr_t line, lt_birth_completion complete
) {
    lt_handle handle = birth_without_stack((const void *)metatype, (const void *)file, (uint64_t)line);
    return LIKELY(handle >= LT_FIRST_TYPE) ? handle : complete(metatype, file, line);
}

// Records a birth that needs more than the stripe has ready.
static __attribute__((noinline)) lt_handle birth_after_lack(const lt_context *context, lt_birth_completion complete) {
    lt_stripe *stripe = lt_own;
    lt_handle handle = LIKELY(stripe) ? full_birth(stripe, context) : LT_NEEDS_STRIPE;
    if (LIKELY(handle >= LT_FIRST_TYPE)) return handle;
    return complete((uintptr_t)context->metatype, (uintptr_t)context->file, (intptr_t)context->line_and_stack);
}

lt_handle lt_birth_in_plain_mode(uintptr_t type, uintptr_t site_file, intptr_t line, lt_birth_completion complete) {
    const void *metatype = (const void *)type, *file = (const void *)site_file;
    const lt_context *context = first_context(&lt_shared_registry, metatype, file, (uint64_t)line);
    if (UNLIKELY(!is_context_of(context, metatype, file, (uint64_t)line)))
        return birth_after_search(type, site_file, line, complete);
    lt_stripe *stripe = lt_own;
    lt_handle handle;
    if (LIKELY(stripe) && LIKELY(plain_birth(stripe, context, &handle))) return handle;
    // The context leads to the other arguments, so that their registers are free until here.
    return birth_after_lack(context, complete);
}

lt_handle lt_birth_in(const lt_context *context, uint64_t time) {
    lt_registry *registry = context->registry;
    if (!registry->is_scoped) return shared_birth(context);
    lt_stripe *stripe = lt_own;
    if (!stripe) return LT_NEEDS_STRIPE;
    enter_stripe(stripe);
    lt_handle result = missing(stripe, context->type, registry->total);
    if (!result) {
        stripe->counts[context->type].born++;
        take_room(&stripe->counts[context->type]);
        take_room(&stripe->counts[registry->total]);
        uint64_t id = __atomic_add_fetch(&registry->reserved, 1, __ATOMIC_RELAXED);
        result = fill_record(stripe, context, LT_LIVE | LT_SCOPED | id, time << LT_CONTEXT_BITS);
    }
    leave_stripe(stripe);
    return result;
}
