// Stripes: the counters and free records of one thread.
//
// The owner *enters* its stripe to use it; another thread *claims* it. See stripe_entry.h.
#pragma once

#include "lt_registries.h"

/// The counters of one type in one stripe. Deaths are not counted: they equal the births minus the live instances,
/// which follow from the room.
///
/// The *room* is how far this thread may raise the number of live instances before it has to request more room: see
/// Sources/LifetimeTracer/Storage/Ceiling.swift. It is `floor + spare`.
typedef struct lt_count {
    /// The room above the least room so far. While there is some, a birth need not update `low`.
    int64_t spare;
    /// The least room so far, or 0 if that is negative.
    int64_t floor;
    uint64_t born;
    /// The least room so far, as if room from other stripes had always been in this one.
    int64_t low;
} lt_count;

/// A death during a snapshot of an instance that was live at the snapshot's cut.
typedef struct lt_logged_death {
    lt_record record;
    lt_record *place;
} lt_logged_death;

/// The deaths that a thread has logged during a snapshot.
typedef struct lt_death_log {
    lt_logged_death *deaths;
    size_t count;
} lt_death_log;

/// Bits of a stripe's `claim`. It is 0 in the plain case, so that a birth compares it once.
enum {
    /// Another thread accesses the stripe, or is about to.
    LT_CLAIMED = 1,
    /// The owner must enter with a locked instruction.
    LT_LOCKED_FORM = 2,
    /// This is not a stripe: see `lt_no_stripe`.
    LT_NO_STRIPE = 4,
    /// The three above: the owner cannot enter plainly.
    LT_NO_PLAIN_ENTRY = 7,
    /// Tracing is off.
    LT_BIRTHS_OFF = 8,
    /// Births record their creation stacks.
    LT_BIRTHS_WITH_STACKS = 16,
    /// Scopes exist in the process, so a birth must look for its own.
    LT_BIRTHS_BESIDE_SCOPES = 32,
    /// No thread keeps the time of births.
    LT_BIRTHS_WITHOUT_CLOCK = 64,
};

typedef struct lt_stripe {
    /// 1 while the owner uses the stripe; written by the owner only.
    uint32_t inside;
    /// Whether another thread uses the stripe, the form of entering, and whether births are plain.
    uint32_t claim;
    /// The births for which a free record and room in the total are set apart, in units of `LT_READY`; not counted in
    /// `free_count` and the total's `spare`. See ready.h.
    uint32_t ready;
    /// The counters, by the types' indices; `lt_count_size` of them.
    lt_count *counts;
    lt_record *free;
    /// The handles reserved for untraced instances: the next one, and the one after the last. In the cache line of
    /// `inside`: a store to another line, between the two stores to `inside`, costs 4 ns on an Intel Xeon (model 207).
    uint64_t next_untraced;
    uint64_t end_untraced;
    /// The ids reserved for this thread, as the first words of records: of the next birth and of the last one; none if
    /// `next_word > last_word`.
    uint64_t next_word;
    uint64_t last_word;
    /// The ids may be used in a plain birth while the word at `ids_watch` is `ids_seen`: either no other thread has
    /// been given higher ones, or the time has not changed.
    const uint64_t *ids_watch;
    uint64_t ids_seen;
    /// A death is plain, and needs only counting, if `word0 - plain < plain_span`.
    uint64_t plain;
    uint64_t plain_span;
    /// The records in `free` without those for the births that are `ready`.
    uint64_t free_count;
    /// A batch of free records, or NULL, and its length.
    lt_record *spare;
    uint64_t spare_count;
    /// The last reserved id.
    uint64_t last_id;
    /// The time (as in the second words of records) at which the ids may be used although other threads have been given
    /// higher ones; LT_NEVER if at none.
    uint64_t ids_stale_at;
    /// In ticks.
    uint64_t ids_reserved_at;
    /// The births since a time in ticks: see birth_clock.h.
    uint64_t recent_births;
    uint64_t recent_since;
    uint32_t ids_block;
    uint32_t ids_contended;
    /// The registry of which a snapshot is being copied, with the last id of the snapshot; NULL without a snapshot.
    const lt_registry *snapshot;
    uint64_t cut;
    /// The stacks that this thread has walked recently; NULL if none.
    struct lt_known_stack *known_stacks;
    lt_logged_death *log;
    size_t log_count;
    size_t log_size;
    struct lt_stripe *next;
    struct lt_stripe *next_idle;
} lt_stripe;

_Static_assert(offsetof(lt_stripe, end_untraced) < 64, "births with tracing off use more than one cache line");

#define LT_NEVER (~0ull)

enum {
    /// The number of free records from which on a stripe sets them aside, or returns such a batch. A stripe may notice
    /// it 1023 records late (see ready.h), and does not notice it while other threads claim it more often than that.
    LT_FREE_BATCH = 7168,
    /// One birth in `ready`: `ready` overflows at 1024 births.
    LT_READY = 1 << 22,
};

/// Stands for the stripe of a thread that has none. Never claimed, and nothing in it is used, because its `claim` is
/// set.
extern lt_stripe lt_no_stripe;

/// Returns the calling thread's stripe; NULL if it has none yet.
lt_stripe *lt_own_stripe(void);
/// Gives the calling thread a stripe, either one that an ended thread left or a new one; returns NULL if memory is
/// short. The stripe is returned when the thread ends.
lt_stripe *lt_adopt_stripe(void);
/// Returns the first of all stripes. New ones are added in front; none is ever freed.
lt_stripe *lt_first_stripe(void);
uint32_t lt_stripe_count(void);
/// Enters the calling thread's own stripe. A thread must not enter twice.
void lt_enter(lt_stripe *stripe);
void lt_leave(lt_stripe *stripe);
/// Claims another thread's stripe; waits until its owner is outside. The owner then waits before it enters.
void lt_claim(lt_stripe *stripe);
void lt_release(lt_stripe *stripe);
/// Claims all stripes, without waiting while it holds a claim, and prevents the creation of new ones. The caller must
/// be outside its own stripe.
void lt_claim_all(void);
void lt_release_all(void);
bool lt_try_claim_all(void);
/// Returns the number of counters of each stripe.
uint32_t lt_count_size(void);
/// Makes sure that all stripes, also later ones, have counters for all types up to an index, so that births and deaths
/// need not check. Must be called before anything is counted at the index, outside of stripes; returns false if memory
/// is short.
bool lt_grow_counts(uint32_t type);
/// Moves room to or from a stripe, as if it had always been there. The caller must have entered or claimed the stripe.
void lt_add_room(lt_stripe *stripe, uint32_t type, int64_t room);
/// Takes half of the room of the first other stripe that has at least some room for a type; returns the taken room.
int64_t lt_take_room(uint32_t type, int64_t least);
/// Sets the free records of a stripe, a linked list. The caller must have entered or claimed the stripe.
void lt_set_free_records(lt_stripe *stripe, lt_record *records, uint64_t count);
/// Takes the free records of the first other stripe that has a full batch of them; returns NULL if there is none. The
/// caller must be outside its own stripe.
lt_record *lt_take_batch(uint64_t *count);
/// Waits until every death that was in progress at the call has been recorded.
void lt_settle(void);

/// Lists the memory that the stripes have allocated, as far as `room` allows; returns the number of pieces. Claims
/// all stripes.
size_t lt_list_memory(lt_memory *pieces, size_t room);

/// Takes back the ids reserved for a stripe. They become available again if no other thread has been given ids since,
/// and are skipped otherwise. The caller must have claimed all stripes.
void lt_return_ids(lt_stripe *stripe);
/// Takes a stripe's log, which the caller must free. The caller must have claimed the stripe.
lt_death_log lt_take_log(lt_stripe *stripe);
void lt_free_log(lt_death_log log);

/// How owners enter their stripes.
typedef enum lt_stripe_form {
    /// With plain stores. A claim calls `membarrier`.
    LT_STRIPES_PLAIN,
    /// With a locked instruction, because `membarrier` is refused, or the program runs under ThreadSanitizer.
    LT_STRIPES_LOCKED,
} lt_stripe_form;
lt_stripe_form lt_current_stripe_form(void);
/// Chooses the plain form if `membarrier` works; runs when the program is loaded.
void lt_choose_stripe_form(void);
/// Sets the form; for tests, before the first birth.
void lt_set_stripe_form(lt_stripe_form form);
/// Calls a function instead of `membarrier`; for tests. NULL restores the call.
void lt_replace_membarrier(bool (*replacement)(void));
