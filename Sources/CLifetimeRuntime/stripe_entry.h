// How the owner of a stripe and the other threads exclude each other: Dekker's algorithm, in which the thread that
// comes seldom pays for the fence.
//
// Two words of a stripe take part. Only the owner writes `inside`; other threads write `claim`.
//
//     owner: a visit                            another thread: a claim
//     O1  store  inside = 1                     C1  set LT_CLAIMED in `claim` (a locked instruction)
//     O2  fence, or none: see below             C2  membarrier, unless the owner has a fence at O2
//     O3  load   claim; if LT_CLAIMED is set:   C3  load   inside (acquire), until it is 0
//           store inside = 0, wait, go to O1    …   access the stripe
//     …   access the stripe                     C4  clear  LT_CLAIMED (release)
//     O4  store  inside = 0 (release)
//
// The form decides who has the second fence. *Locked form* (LT_LOCKED_FORM in `claim`): O1 and O2 are one locked
// instruction. *Plain form*: O1 is a plain store and O2 only a compiler barrier, so the processor may delay O1 until
// after O3 and after the accesses to the stripe.
//
// To prove: a visit and a claim never access a stripe at the same time, and the later one sees the accesses of the
// earlier one. Only one claim at a time passes C1, because it must find LT_CLAIMED clear. So it is enough to consider
// one visit and one claim, and the load at C3 that ends the claim's wait.
//
// 1. If C3 reads the 0 that O4 of the visit stored, or a later value, the visit is over, and its accesses are visible,
//    because O4 releases and C3 acquires.
// 2. Else C3 reads a value older than O1 of the visit: C3 has not seen O1.
//    - Locked form: C1, O1 with O2, O3 and C3 are sequentially consistent. C3 has not seen O1, so C3 precedes O1 in
//      their common order. C1 precedes C3, and O1 precedes O3. So O3 sees C1.
//    - Plain form: between the call of `membarrier` (C2) and its return, every thread of the process passes a full
//      fence; a thread that is not running passes one when it is scheduled. Let P be the point in the owner's program
//      at which that happens. If P came after O1, O1 would be visible before `membarrier` returns, and C3 would have
//      seen it. So P comes before O1, and thus before O3. What was written before the call of `membarrier` is visible
//      after P. So O3 sees C1.
// 3. O3 sees C1, so it reads LT_CLAIMED and the visit accesses nothing; or it reads a value written at C4 of the claim
//    or later. Then the claim is over, and its accesses are visible, because C4 releases and O3 acquires.
//
// The compiler keeps O1 before O3 because of the signal fence, and the accesses between O3 (acquire) and O4 (release).
// If both threads notice each other, the owner withdraws, so they cannot wait for each other. When a thread ends, its
// stripe passes to the next owner under a mutex, so a stripe has one owner at a time and the words stay consistent.
//
// `claim` has more bits, by which births tell what makes them unusual. Other threads set and clear these at any time,
// with locked instructions, which continue the release sequence of C4. A plain birth needs a `claim` of 0: `lt_birth`
// is O1 to O3, and `lt_birth_inside` is the access and O4. `lt_birth_outside` loads `claim` once more after O1; that
// load is O3 then.
// A registration for `membarrier` is inherited by a fork child, so the form stays the same there.
#pragma once
#include "atomics.h"

// For the stress test of this protocol, which yields here at random.
#ifndef STRIPE_ENTRY_POINT
#define STRIPE_ENTRY_POINT() ((void)0)
#endif

/// Completes the entry of an owner that has found `claim` set.
COLD void lt_enter_slowly(lt_stripe *stripe);

/// Enters the calling thread's own stripe in the plain form; returns false if `claim` has one of the bits, which
/// include LT_NO_PLAIN_ENTRY. Then the thread must access nothing, and leave or enter in another way.
static inline __attribute__((always_inline)) bool enter_unless(lt_stripe *stripe, uint32_t bits) {
    STORE_RELAXED(&stripe->inside, 1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    STRIPE_ENTRY_POINT();
    return LIKELY(!(LOAD_TO_COMPARE(&stripe->claim) & bits));
}

/// Enters the calling thread's own stripe; waits while another thread claims it.
static inline __attribute__((always_inline)) void enter_stripe(lt_stripe *stripe) {
    if (UNLIKELY(!enter_unless(stripe, LT_NO_PLAIN_ENTRY))) lt_enter_slowly(stripe);
}

/// Leaves the calling thread's own stripe.
static inline __attribute__((always_inline)) void leave_stripe(lt_stripe *stripe) {
    STRIPE_ENTRY_POINT();
    STORE_RELEASE(&stripe->inside, 0);
}

/// Changes the room of the calling thread's own stripe above the least room. Atomic, because another thread may look at
/// the room without a claim.
static inline __attribute__((always_inline)) void change_spare_room(lt_count *count, int64_t change) {
    STORE_RELAXED(&count->spare, LOAD_RELAXED(&count->spare) + change);
}

static inline int64_t room_of(const lt_count *count) {
    return LOAD_RELAXED(&count->floor) + LOAD_RELAXED(&count->spare);
}

/// Sets the room and the least room.
static inline void set_room(lt_count *count, int64_t room, int64_t low) {
    int64_t floor = low > 0 ? low : 0;
    count->low = low;
    STORE_RELAXED(&count->floor, floor);
    STORE_RELAXED(&count->spare, room - floor);
}
