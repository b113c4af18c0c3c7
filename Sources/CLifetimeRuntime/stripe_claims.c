// Claims: the access of other threads to a stripe. stripe_entry.h explains the protocol and proves it.
#define _GNU_SOURCE
#include "ready.h"
#include "stripe_claims.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static bool call_membarrier(void);

// Whether owners enter with a locked instruction. `claims_rely_on_locks` follows it, once no owner can be inside that
// entered with a plain store: from then on a claim needs no `membarrier`. Both are true until `membarrier` is known to
// work.
static bool owners_use_locks = true, claims_rely_on_locks = true;
// Replaced in tests.
static bool (*order_running_threads)(void) = call_membarrier;

static bool call_membarrier(void) {
#if defined(__linux__) && defined(SYS_membarrier)
    return !syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
#else
    return false;
#endif
}

// Returns whether `membarrier` works. It needs Linux 4.14, and a seccomp filter may refuse it.
static bool register_for_membarrier(void) {
#if __has_feature(thread_sanitizer)
    // ThreadSanitizer does not know that `membarrier` orders accesses.
    return false;
#elif defined(__linux__) && defined(SYS_membarrier)
    return !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) && call_membarrier();
#else
    return false;
#endif
}

// Runs before any code of the program, whose constructors may already be traced.
#if defined(__APPLE__)
__attribute__((constructor))
#else
__attribute__((constructor(101)))
#endif
void lt_choose_stripe_form(void) {
    const char *is_locked = getenv("LIFETIME_TRACER_LOCKED");
    bool is_plain = !(is_locked && !strcmp(is_locked, "1")) && register_for_membarrier();
    lt_set_stripe_form(is_plain ? LT_STRIPES_PLAIN : LT_STRIPES_LOCKED);
}

lt_stripe_form lt_current_stripe_form(void) {
    return LOAD_RELAXED(&owners_use_locks) ? LT_STRIPES_LOCKED : LT_STRIPES_PLAIN;
}

void lt_set_stripe_form(lt_stripe_form form) {
    owners_use_locks = claims_rely_on_locks = form == LT_STRIPES_LOCKED;
}

void lt_replace_membarrier(bool (*replacement)(void)) {
    order_running_threads = replacement ? replacement : call_membarrier;
}

void adopt_form(lt_stripe *stripe) {
    if (__atomic_load_n(&owners_use_locks, __ATOMIC_SEQ_CST))
        __atomic_fetch_or(&stripe->claim, LT_LOCKED_FORM, __ATOMIC_SEQ_CST);
}

// Changes to the locked form because `membarrier` has begun to fail: the program has installed a seccomp filter.
//
// An owner may be inside that entered with a plain store. Nothing but time can order that store now: processors make
// stores visible within a bounded time, of less than a microsecond, and a thread that is not running has passed a
// fence.
static COLD void change_to_locked_form(void) {
    // A stripe that is not in the list yet adopts the form after it has been added.
    __atomic_store_n(&owners_use_locks, true, __ATOMIC_SEQ_CST);
    for (lt_stripe *stripe = lt_first_stripe(); stripe; stripe = stripe->next) adopt_form(stripe);
    nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
    STORE_RELEASE(&claims_rely_on_locks, true);
}

void order_owners(void) {
    if (!LOAD_ACQUIRE(&claims_rely_on_locks) && !order_running_threads()) change_to_locked_form();
}

// Waits a little, longer in later rounds. A stripe is in use for some tens of nanoseconds, unless the thread that uses
// it is preempted, or has claimed all stripes.
static void wait_for_stripe(uint32_t round) {
    if (round < 64) PAUSE();
    else if (round < 1000) sched_yield();
    else nanosleep(&(struct timespec){0, 50000}, NULL);
}

COLD void lt_enter_slowly(lt_stripe *stripe) {
    for (;;) {
        uint32_t claim = LOAD_ACQUIRE(&stripe->claim);
        if ((claim & (LT_CLAIMED | LT_LOCKED_FORM)) == LT_LOCKED_FORM) {
            // O1 and O2 of the locked form. That the word is 1 already, from the plain store, does no harm.
            __atomic_exchange_n(&stripe->inside, 1, __ATOMIC_SEQ_CST);
            claim = __atomic_load_n(&stripe->claim, __ATOMIC_SEQ_CST);
        }
        if (!(claim & LT_CLAIMED)) return;
        STORE_RELEASE(&stripe->inside, 0);
        for (uint32_t round = 0; LOAD_RELAXED(&stripe->claim) & LT_CLAIMED; round++) wait_for_stripe(round);
        STORE_RELAXED(&stripe->inside, 1);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        STRIPE_ENTRY_POINT();
    }
}

void lt_enter(lt_stripe *stripe) { enter_settled(stripe); }
void lt_leave(lt_stripe *stripe) { leave_stripe(stripe); }

void lt_claim(lt_stripe *stripe) {
    for (uint32_t round = 0; !announce_claim(stripe); round++) wait_for_stripe(round);
    order_owners();
    for (uint32_t round = 0; !is_left(stripe); round++) wait_for_stripe(round);
    settle_ready(stripe);
}

void lt_release(lt_stripe *stripe) { end_claim(stripe); }

// A thread that is preempted inside its own stripe must not block the owners of other stripes through this thread. So
// this thread gives up all its claims instead of waiting long.
bool try_claim_each(lt_stripe *first) {
    enum { PATIENCE = 200 };
    lt_stripe *end = first;
    uint32_t round = 0;
    for (; end; end = end->next) {
        while (!announce_claim(end))
            if (++round < PATIENCE) PAUSE();
            else goto busy;
    }
    // One call orders the owners of all stripes.
    order_owners();
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) {
        while (!is_left(stripe))
            if (++round < PATIENCE) PAUSE();
            else goto busy;
    }
    for (lt_stripe *stripe = first; stripe; stripe = stripe->next) settle_ready(stripe);
    return true;
busy:
    for (lt_stripe *stripe = first; stripe != end; stripe = stripe->next) end_claim(stripe);
    return false;
}

void lt_settle(void) {
    // Before the list is read, because a stripe that is added later belongs to a thread that sees the caller's writes.
    order_owners();
    for (lt_stripe *stripe = lt_first_stripe(); stripe; stripe = stripe->next) {
        // It is enough to see the owner outside once: an owner that enters afterwards sees the caller's earlier writes.
        // That is the proof in stripe_entry.h, with the caller's write in the place of C1, and the load of the record
        // in the place of O3.
        for (uint32_t round = 0; !is_left(stripe); round++) wait_for_stripe(round);
    }
}
