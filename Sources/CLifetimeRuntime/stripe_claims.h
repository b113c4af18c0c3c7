// The part of a claim that the stress test of the protocol shares with the library; see stripe_entry.h.
#pragma once
#include "stripe_entry.h"

/// C1: announces a claim; returns false if another thread has a claim.
static inline bool announce_claim(lt_stripe *stripe) {
    return !(__atomic_fetch_or(&stripe->claim, LT_CLAIMED, __ATOMIC_SEQ_CST) & LT_CLAIMED);
}

/// C3: returns whether the owner is outside. Valid only after `announce_claim` and `order_owners`.
static inline bool is_left(const lt_stripe *stripe) {
    return !__atomic_load_n(&stripe->inside, __ATOMIC_SEQ_CST);
}

/// C4: ends a claim, or withdraws an announced one.
static inline void end_claim(lt_stripe *stripe) {
    __atomic_fetch_and(&stripe->claim, ~(uint32_t)LT_CLAIMED, __ATOMIC_RELEASE);
}

/// C2: makes sure that each owner that entered before is seen inside, and that each later one sees the claims that were
/// announced before.
void order_owners(void);

/// Lock and unlock the list of stripes: none is added, and none is claimed together with the others, meanwhile.
void lock_stripes(void);
void unlock_stripes(void);
/// Sets a bit in `claim` of all stripes, also of later ones, or clears it. The caller must hold the lock, or be the
/// only thread.
void mark_stripes(uint32_t bit, bool is_set);

/// Gives a stripe that has been added to the list the form that is in force.
void adopt_form(lt_stripe *stripe);

/// Claims each stripe of a list; returns false, having claimed none, if that would take long.
bool try_claim_each(lt_stripe *first);
