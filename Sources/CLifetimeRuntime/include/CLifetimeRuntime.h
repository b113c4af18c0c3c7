// The part of the registry's storage that must be C: the thread-local pointer to a thread's stripe, the cycle counter,
// and the words of records, which threads read while others write them. All code that is not needed at every birth and
// death is in Swift (Sources/LifetimeTracer/Registry).
//
// Terms: a *record* is the stored data of a live instance, 16 bytes. A *stripe* belongs to one thread at a time and
// holds that thread's counters and free records; except for snapshots, only that thread takes the stripe's lock. A
// *context* is an interned combination of type, creation site and creation stack in one registry. A *handle* is the 8
// bytes that an object carries.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Records

/// word0: the flags and the id of a live instance, or else the address of the next free record or 0. word1: the
/// context's index (20 bits) and the low bits of the time of birth (44 bits).
typedef struct lt_record {
    uint64_t word0;
    uint64_t word1;
} lt_record;

/// The record belongs to a live instance.
#define LT_LIVE (1ull << 63)
/// The death must be reported.
#define LT_WATCHED (1ull << 62)
/// The instance was listed or its id was read, so its death is worth remembering.
#define LT_NOTED (1ull << 61)
/// The instance belongs to a scoped registry, which it retains.
#define LT_SCOPED (1ull << 60)
#define LT_ID_MASK (LT_SCOPED - 1)

enum {
    LT_CONTEXT_BITS = 20,
    LT_TIME_BITS = 44,
    /// Records in a chunk of 256 KiB. Chunks are aligned to their size and never unmapped, so a record can always be
    /// read.
    LT_CHUNK_RECORDS = 16384,
    LT_CHUNK_BYTES = LT_CHUNK_RECORDS * 16,
};

// MARK: Handles

/// The type index (19 bits), "unlisted" (1 bit), and the record's address / 16 or, for an unlisted instance, the low
/// bits of its id (44 bits). User addresses are below 2^48 on x86-64 and arm64.
typedef uint64_t lt_handle;

enum {
    LT_TYPE_BITS = 19,
    LT_PAYLOAD_SHIFT = 20,
};
#define LT_UNLISTED (1ull << 19)
#define LT_TYPE_MASK (LT_UNLISTED - 1)

/// The handle of an instance that was born while tracing was off: type index 0, and in place of the id a number by
/// which its death can be reported. If memory was short, the handle has no number and equals this constant.
#define LT_UNTRACED LT_UNLISTED

/// Results of a birth instead of a handle. Type indices start above them.
enum {
    /// The birth has to be recorded in a scoped registry, or needs a context.
    LT_NEEDS_CONTEXT = 1,
    LT_NEEDS_STRIPE,
    LT_NEEDS_COUNTS,
    LT_NEEDS_ROOM,
    LT_NEEDS_TOTAL_ROOM,
    LT_NEEDS_RECORDS,
    LT_FIRST_TYPE = 16,
};
/// The smallest handle.
#define LT_FIRST_HANDLE 16ull

// MARK: Registries, contexts, types

typedef struct lt_registry lt_registry;

typedef struct lt_context {
    const void *metatype;
    const void *file;
    /// The line; with a creation stack, the upper bits hold the hash of the stack.
    uint64_t line_and_stack;
    lt_registry *registry;
    /// The type's index, as in handles.
    uint32_t type;
    /// The context's index, as in records.
    uint32_t index;
    /// The context's position in its registry.
    uint32_t position;
} lt_context;

/// An open-addressed table of contexts that is read without a lock, because slots are only ever filled. An empty slot
/// holds a context that matches nothing.
typedef struct lt_context_table {
    uint32_t mask;
    lt_context *slots[];
} lt_context_table;

struct lt_registry {
    lt_context_table *table;
    /// The Swift object to which this belongs, not retained; valid while an instance of the registry is live.
    void *store;
    /// The index at which all instances of the registry are counted, as if it were a type's.
    uint32_t total;
    bool is_scoped;
    bool has_stacks;
    /// The highest id that was assigned or reserved for a stripe; kept apart from the fields that every birth reads.
    uint64_t apart[8];
    uint64_t reserved;
};

/// Returns the registry of all objects that are born outside a scope.
lt_registry *lt_shared_core(void);
/// Assigns an id.
uint64_t lt_give_id(lt_registry *registry);
/// Returns the highest id that was assigned or reserved.
uint64_t lt_last_id(const lt_registry *registry);

/// The registry to which a type index belongs, and the type's position in that registry.
typedef struct lt_type {
    lt_registry *registry;
    uint32_t position;
} lt_type;

lt_type lt_type_at(uint32_t index);

/// The addresses from `start` up to, but not including, `end`.
typedef struct lt_memory {
    uintptr_t start, end;
} lt_memory;

/// Returns the memory of the table of types. The table also names freed registries, whose memory may be reused, so its
/// words look like references but are not.
lt_memory lt_memory_of_types(void);
/// Lists the memory of contexts, which name such registries as well, as far as `room` allows; returns the number of
/// pieces.
size_t lt_list_contexts(lt_memory *pieces, size_t room);
/// Assigns an index to a type of a registry. Must be called before anything is counted at the index.
void lt_set_type(uint32_t index, lt_registry *registry, uint32_t position);

lt_context *lt_find_context(
    const lt_registry *registry, const void *metatype, const void *file, uint64_t line_and_stack);
/// Gives a registry an empty table.
void lt_use_empty_table(lt_registry *registry);
void lt_publish_table(lt_registry *registry, lt_context_table *table);
/// Empties a table of `mask + 1` slots before it is published.
void lt_clear_table(lt_context_table *table, uint32_t mask);
void lt_publish_context(lt_context_table *table, lt_context *context);
/// Returns the context with an index that has been published.
lt_context *lt_context_at(uint32_t index);
/// Creates a context at an unused index; returns NULL if memory is short.
lt_context *lt_make_context(uint32_t index, lt_context contents);

// MARK: Stripes

/// The counters of one type in one stripe. Deaths are not counted: they equal the births minus the live instances,
/// which follow from the room.
typedef struct lt_count {
    /// How far this thread may raise the number of live instances before it has to request more room: see
    /// Registry/Ceiling.swift.
    int64_t room;
    /// The least room so far, or 0 if that is negative. While the room is above it, a birth need not update `low`.
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

typedef struct lt_stripe {
    uint32_t lock;
    uint32_t count_size;
    lt_count *counts;
    lt_record *free;
    uint64_t free_count;
    /// A full batch of free records, or NULL.
    lt_record *spare;
    /// The ids reserved for this thread: the next one and the last one; none if `next_id > last_id`.
    uint64_t next_id;
    uint64_t last_id;
    /// Until when (in ticks) the ids may be used although other threads have been given higher ones.
    uint64_t ids_stale_until;
    uint64_t ids_reserved_at;
    /// The numbers reserved for untraced instances: the next one, and the one after the last.
    uint64_t next_untraced;
    uint64_t end_untraced;
    uint32_t ids_block;
    uint32_t ids_contended;
    /// A death is plain, and needs only counting, if `word0 - plain < plain_span`.
    uint64_t plain;
    uint64_t plain_span;
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

/// The number of free records that a stripe collects before it sets them aside or returns such a batch.
enum { LT_FREE_BATCH = 8192 };

/// Returns the calling thread's stripe; NULL if it has none yet.
lt_stripe *lt_own_stripe(void);
/// Gives the calling thread a stripe, either one that an ended thread left or a new one; returns NULL if memory is
/// short. The stripe is returned when the thread ends.
lt_stripe *lt_adopt_stripe(void);
/// Returns the first of all stripes. New ones are added in front; none is ever freed.
lt_stripe *lt_first_stripe(void);
uint32_t lt_stripe_count(void);
void lt_lock(lt_stripe *stripe);
bool lt_try_lock(lt_stripe *stripe);
void lt_unlock(lt_stripe *stripe);
/// Makes room for the counters of all types up to an index. The caller must hold the stripe's lock.
bool lt_grow_counts(lt_stripe *stripe, uint32_t type);
/// Moves room to or from a stripe, as if it had always been there. The caller must hold the stripe's lock.
void lt_add_room(lt_stripe *stripe, uint32_t type, int64_t room);
/// Locks all stripes, without waiting while it holds one, and prevents the creation of new ones.
void lt_lock_all(void);
void lt_unlock_all(void);
bool lt_try_lock_all(void);
/// Waits until every death that was in progress at the call has been recorded.
void lt_settle(void);

/// Lists the memory that the stripes have allocated, as far as `room` allows; returns the number of pieces. Waits for
/// each stripe's lock.
size_t lt_list_memory(lt_memory *pieces, size_t room);

// MARK: Births and deaths

/// Bits of the mode; 0 is the plain case. The bits above them count the scopes in force.
enum { LT_MODE_OFF = 1, LT_MODE_STACKS = 2, LT_MODE_SYSTEM_CLOCK = 4, LT_MODE_SCOPE = 8 };
static inline uint32_t lt_mode(void);
void lt_set_mode(uint32_t bit, bool is_on);
/// Returns whether births in a registry record their creation stacks.
bool lt_has_stacks(const lt_registry *registry);
void lt_set_stacks(lt_registry *registry, bool is_on);
void lt_add_scopes(int32_t change);

/// Records a birth in the shared registry in the plain mode; returns a handle, or the resource that is needed first.
lt_handle lt_birth_in_plain_mode(const void *metatype, const void *file, uint64_t line);
/// Records a birth in the shared registry if creation stacks are recorded and the mode is plain otherwise.
lt_handle lt_birth_with_stack(const void *metatype, const void *file, uint64_t line);
/// Records a birth in the shared registry in any other mode.
lt_handle lt_birth_in_mode(const void *metatype, const void *file, uint64_t line, uint32_t mode);
/// Records a birth with a known context.
lt_handle lt_birth_in(const lt_context *context, uint64_t time);
/// Returns a handle for an untraced instance; LT_UNTRACED for a thread without a stripe.
lt_handle lt_untraced_birth(void);
/// Changes the number of untraced instances whose deaths must be reported.
void lt_add_untraced_watches(int64_t change);
/// Records the death of a listed instance; returns false, without having done anything, if the death needs more than
/// counting.
bool lt_listed_death(lt_handle handle);
/// Records any death of a listed instance, and returns its record. The thread must have a stripe with room for the
/// counter.
lt_record lt_death_in(lt_handle handle);
/// Counts the birth of an unlisted instance. The thread must have a stripe with room for the counter.
void lt_count_unlisted(uint32_t type);

static inline lt_record *lt_place(lt_handle handle) {
    return (lt_record *)(uintptr_t)(handle >> LT_PAYLOAD_SHIFT << 4);
}

/// Takes back the ids reserved for a stripe. They become available again if no other thread has been given ids since,
/// and are skipped otherwise. The caller must hold the locks of all stripes.
void lt_return_ids(lt_stripe *stripe);
/// Takes a stripe's log, which the caller must free. The caller must hold the stripe's lock.
lt_death_log lt_take_log(lt_stripe *stripe);
void lt_free_log(lt_death_log log);

// MARK: Reading and flagging records

/// Reads a record that other threads may be writing; returns false if it does not belong to a live instance.
bool lt_read_record(const lt_record *place, lt_record *record);
/// Reads a record; returns false also if the instance does not belong to the registry.
bool lt_read_record_of(const lt_record *place, const lt_registry *registry, lt_record *record);
/// Sets flags in the record of a live instance; returns false if the instance is not there.
bool lt_flag_record(lt_record *place, const lt_registry *registry, uint64_t id, uint64_t flags);
/// Frees a record and links it in front of another.
void lt_link_record(lt_record *place, lt_record *next);
lt_record *lt_next_free(const lt_record *place);
/// Copies the records of a registry's instances up to an id from a chunk; sets a bit in `copied` for each copied
/// record.
size_t lt_copy_chunk(
    const lt_record *chunk, const lt_registry *registry, uint64_t cut, lt_record *output, size_t room,
    uint64_t *copied);
/// Returns the record of a live instance in a chunk; NULL if it is not there.
lt_record *lt_find_record(lt_record *chunk, const lt_registry *registry, uint64_t id);

// MARK: Time

/// The source of the ticks.
typedef enum lt_tick_source { LT_TICKS_CYCLES, LT_TICKS_SYSTEM_CLOCK } lt_tick_source;
/// Returns a counter that rises evenly: the cycle counter if it is invariant, or else the nanoseconds of
/// CLOCK_MONOTONIC.
uint64_t lt_ticks(void);
/// Records hold the lower 44 bits of the ticks divided by 2^lt_time_shift().
uint32_t lt_time_shift(void);
lt_tick_source lt_current_tick_source(void);
/// Chooses the source; for tests, before the first birth.
void lt_set_tick_source(lt_tick_source source);

// MARK: Creation stacks

enum { LT_STACK_FRAMES = 16 };
typedef struct lt_stack {
    uint32_t count;
    /// Nonzero if the stack exists; the lower 24 bits are 0, which leaves them to the line.
    uint64_t hash;
    uintptr_t addresses[LT_STACK_FRAMES];
} lt_stack;
/// Walks the frame pointers of the calling thread within the bounds of its stack.
void lt_walk_stack(lt_stack *stack);
/// Takes the stack that the last birth on this thread walked, if that birth has just returned a resource that is needed
/// first.
bool lt_take_walked_stack(lt_stack *stack);

// MARK: Inlined into the program

// Private to the functions below.
extern uint32_t lt_mode_bits;
extern int64_t lt_untraced_watches;
extern _Thread_local lt_stripe *lt_own __attribute__((tls_model("initial-exec")));

static inline uint32_t lt_mode(void) { return __atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED); }

/// Records a birth in the shared registry, unless tracing is off; returns a handle, or the resource that is needed
/// first.
///
/// Has one level of calls and as few variables as possible, because a debug build of the program optimises nothing
/// here.
static inline __attribute__((always_inline)) lt_handle lt_birth(uintptr_t metatype, uintptr_t file, intptr_t line) {
    if (__builtin_expect(!__atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED), 1))
        return lt_birth_in_plain_mode((const void *)metatype, (const void *)file, line);
    uint32_t mode = lt_mode();
    if (mode & LT_MODE_OFF) {
        // Only this thread accesses these two fields, so they need no lock.
        lt_stripe *stripe = lt_own;
        if (__builtin_expect(stripe && stripe->next_untraced != stripe->end_untraced, 1))
            return stripe->next_untraced++ << LT_PAYLOAD_SHIFT | LT_UNTRACED;
    }
    if (mode == LT_MODE_STACKS) return lt_birth_with_stack((const void *)metatype, (const void *)file, line);
    return lt_birth_in_mode((const void *)metatype, (const void *)file, line, mode);
}

/// Records a death; returns false, without having done anything, if the death needs more than counting.
static inline __attribute__((always_inline)) bool lt_death(lt_handle handle) {
    if (__builtin_expect(!(handle & LT_UNLISTED), 1)) return lt_listed_death(handle);
    return !(handle & LT_TYPE_MASK) && !__atomic_load_n(&lt_untraced_watches, __ATOMIC_RELAXED);
}
