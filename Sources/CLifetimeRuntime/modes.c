// The mode of births, and births while tracing is off.
//
// The mode is also in `claim` of each stripe: a plain birth finds it out by the comparison that it makes anyway.
#include "stripe_claims.h"

uint32_t lt_mode_bits;

void lt_set_mode(uint32_t bit, bool is_on) {
    lock_stripes();
    uint32_t mode = is_on ? __atomic_or_fetch(&lt_mode_bits, bit, __ATOMIC_RELAXED)
                          : __atomic_and_fetch(&lt_mode_bits, ~bit, __ATOMIC_RELAXED);
    mark_stripes(LT_BIRTHS_OFF, mode & LT_MODE_OFF);
    mark_stripes(LT_BIRTHS_WITH_STACKS, mode & LT_MODE_STACKS);
    unlock_stripes();
}

void lt_add_scopes(int32_t change) {
    uint32_t added = (uint32_t)change * LT_MODE_SCOPE, mode = LOAD_RELAXED(&lt_mode_bits);
    // Scopes among others change nothing in the stripes, and need no lock.
    while (mode >= LT_MODE_SCOPE && mode + added >= LT_MODE_SCOPE)
        if (__atomic_compare_exchange_n(
                &lt_mode_bits, &mode, mode + added, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return;
    lock_stripes();
    // The stripes are marked for as long as the mode counts a scope. So a thread that finds another scope in the mode,
    // above, also finds the mark at its next birth.
    mark_stripes(LT_BIRTHS_BESIDE_SCOPES, true);
    mode = __atomic_add_fetch(&lt_mode_bits, added, __ATOMIC_ACQ_REL);
    if (mode < LT_MODE_SCOPE) mark_stripes(LT_BIRTHS_BESIDE_SCOPES, false);
    unlock_stripes();
}

bool lt_has_stacks(const lt_registry *registry) { return LOAD_RELAXED(&registry->has_stacks); }

void lt_set_stacks(lt_registry *registry, bool is_on) {
    STORE_RELAXED(&registry->has_stacks, is_on);
    if (!registry->is_scoped) lt_set_mode(LT_MODE_STACKS, is_on);
}

uint64_t lt_reported_bits = LT_TYPE_MASK;

void lt_watch_untraced_deaths(bool is_on) {
    // All handles of unlisted instances contain LT_UNLISTED.
    __atomic_store_n(&lt_reported_bits, is_on ? LT_TYPE_MASK | LT_UNLISTED : LT_TYPE_MASK, __ATOMIC_SEQ_CST);
}

static uint64_t next_untraced = 1;

uint64_t lt_untraced_end(void) { return LOAD_RELAXED(&next_untraced); }

static COLD void reserve_untraced(lt_stripe *stripe) {
    enum { BLOCK = 4096 };
    uint64_t first = __atomic_fetch_add(&next_untraced, BLOCK, __ATOMIC_RELAXED);
    stripe->next_untraced = first << LT_PAYLOAD_SHIFT | LT_UNTRACED;
    stripe->end_untraced = (first + BLOCK) << LT_PAYLOAD_SHIFT | LT_UNTRACED;
}

lt_handle lt_untraced_birth(void) {
    lt_stripe *stripe = lt_own_stripe();
    if (!stripe) return LT_UNTRACED;
    if (stripe->next_untraced == stripe->end_untraced) reserve_untraced(stripe);
    lt_handle handle = stripe->next_untraced;
    stripe->next_untraced += LT_UNTRACED_STEP;
    return handle;
}
