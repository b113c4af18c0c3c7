// What of the registry's storage must be C: a pointer to each thread's own stripe, the cycle counter, and the words of records,
// which threads read while others write them. Everything that is not on the way of each birth and death is Swift
// (Sources/LifetimeTracer/Registry).
//
// Words: a *record* is what is kept of a live instance, 16 bytes. A *stripe* belongs to one thread at a time and holds that
// thread's counters and free records; it has a lock that, but for snapshots, only that thread takes. A *context* is an
// interned (type, creation site, creation stack) of one registry. A *handle* is the 8 bytes that an object carries.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Records

/// word0: while live, flags and the id; else the address of the next free record, or 0.
/// word1: the context's index (20 bits) and the lower bits of the time of birth (44 bits).
typedef struct lt_record {
    uint64_t word0;
    uint64_t word1;
} lt_record;

/// The record is of a live instance.
#define LT_LIVE (1ull << 63)
/// Somebody wants to hear of the death.
#define LT_WATCHED (1ull << 62)
/// Somebody was told of the instance, so its death is worth remembering.
#define LT_NOTED (1ull << 61)
/// The instance belongs to another registry than the shared one, which it keeps alive.
#define LT_SCOPED (1ull << 60)
#define LT_ID_MASK (LT_SCOPED - 1)

enum {
    LT_CONTEXT_BITS = 20,
    LT_TIME_BITS = 44,
    /// Records in a chunk: 256 KiB. Chunks are aligned to their size and never unmapped, so a record can always be read.
    LT_CHUNK_RECORDS = 16384,
    LT_CHUNK_BYTES = LT_CHUNK_RECORDS * 16,
};

// MARK: Handles

/// Type index (19 bits), "unlisted" (1 bit), and the record's address / 16 or, for an unlisted instance, the low bits of its id
/// (44 bits). User addresses are below 2^48 on x86-64 and arm64.
typedef uint64_t lt_handle;

enum {
    LT_TYPE_BITS = 19,
    LT_PAYLOAD_SHIFT = 20,
};
#define LT_UNLISTED (1ull << 19)
#define LT_TYPE_MASK (LT_UNLISTED - 1)

/// The handle of an instance that is not traced, because tracing was off when it was born: type index 0, and a number in place
/// of the id, by which its death can be told to who asks for it. Without a number (no memory) it is only this.
#define LT_UNTRACED LT_UNLISTED

/// What a birth answers instead of a handle. Type indices start behind them.
enum {
    /// The birth has to go through a registry of its own, or needs a context.
    LT_NEEDS_CONTEXT = 1,
    LT_NEEDS_STRIPE,
    LT_NEEDS_COUNTS,
    LT_NEEDS_ROOM,
    LT_NEEDS_TOTAL_ROOM,
    LT_NEEDS_RECORDS,
    LT_FIRST_TYPE = 16,
};
/// All handles are at least this.
#define LT_FIRST_HANDLE 16ull

// MARK: Registries, contexts, types

typedef struct lt_registry lt_registry;

typedef struct lt_context {
    const void *metatype;
    const void *file;
    /// The line; with a creation stack, its hash in the upper bits.
    uint64_t line_and_stack;
    lt_registry *registry;
    /// The type's index, as in handles.
    uint32_t type;
    /// The context's index, as in records.
    uint32_t index;
    /// The context's position in its registry.
    uint32_t position;
} lt_context;

/// An open-addressed table of contexts that is read without a lock: slots are only ever filled. An empty one holds a context that
/// matches nothing.
typedef struct lt_context_table {
    uint32_t mask;
    lt_context *slots[];
} lt_context_table;

struct lt_registry {
    lt_context_table *table;
    /// The registry's object, not retained; each live instance of a scoped registry retains it. Unused in the shared one.
    void *owner;
    /// The index, as if of a type, under which all instances of the registry are counted.
    uint32_t total;
    bool is_scoped;
    bool has_stacks;
    /// The highest id that has been given out or set aside for a stripe; apart from what every birth reads.
    uint64_t apart[8];
    uint64_t reserved;
};

/// The registry of everything that is born outside a scope.
lt_registry *lt_shared_core(void);
/// Gives out an id.
uint64_t lt_give_id(lt_registry *registry);
/// The highest id that has been given out or set aside.
uint64_t lt_last_id(const lt_registry *registry);

/// Which registry a type index belongs to, and which of its types it is.
typedef struct lt_type {
    lt_registry *registry;
    uint32_t position;
} lt_type;

lt_type lt_type_at(uint32_t index);

/// Addresses from `start` up to, but without, `end`.
typedef struct lt_memory {
    uintptr_t start, end;
} lt_memory;

/// Where the table of types is. It names registries that have gone, too, where other things may be now: no references, although
/// they look like some.
lt_memory lt_memory_of_types(void);
/// Lists where contexts are, which name such registries as well, as far as there is room; answers how many pieces there are.
size_t lt_list_contexts(lt_memory *pieces, size_t room);
/// Says whose an index is. Done before anything is counted under it.
void lt_set_type(uint32_t index, lt_registry *registry, uint32_t position);

lt_context *lt_find_context(
    const lt_registry *registry, const void *metatype, const void *file, uint64_t line_and_stack);
/// Gives a registry a table without contexts.
void lt_use_empty_table(lt_registry *registry);
void lt_publish_table(lt_registry *registry, lt_context_table *table);
/// Empties a table of `mask + 1` slots before it is published.
void lt_clear_table(lt_context_table *table, uint32_t mask);
void lt_publish_context(lt_context_table *table, lt_context *context);
/// The context with an index that has been published.
lt_context *lt_context_at(uint32_t index);
/// Makes the context of an index that is not in use; NULL when the system has no memory.
lt_context *lt_make_context(uint32_t index, lt_context contents);

// MARK: Stripes

/// The counters of one type in one stripe. Deaths are not counted: they are the births less what is live, and what is live follows
/// from the room.
typedef struct lt_count {
    /// How far this thread may raise the number of live instances before it has to ask: see Registry/Ceiling.swift.
    int64_t room;
    /// The least room so far, or 0 if that is negative: down to here a birth need not look at it.
    int64_t floor;
    uint64_t born;
    /// The least room so far, as if what came from elsewhere had always been there.
    int64_t low;
} lt_count;

/// A death during a snapshot, of an instance that was live at its cut.
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
    /// The ids that are set aside for this thread: the next one and the last; none while `next_id > last_id`.
    uint64_t next_id;
    uint64_t last_id;
    /// Until when (in ticks) ids may be used although other threads have been given higher ones.
    uint64_t ids_stale_until;
    uint64_t ids_reserved_at;
    /// The numbers that are set aside for instances that are not traced: the next one, and the one behind the last.
    uint64_t next_untraced;
    uint64_t end_untraced;
    uint32_t ids_block;
    uint32_t ids_contended;
    /// A death is plain, needing nothing but to be counted, when `word0 - plain < plain_span`.
    uint64_t plain;
    uint64_t plain_span;
    /// The registry of which a snapshot is being copied, and its last id; NULL while there is none.
    const lt_registry *snapshot;
    uint64_t cut;
    /// The stacks that this thread has walked lately; NULL while none has been.
    struct lt_known_stack *known_stacks;
    lt_logged_death *log;
    size_t log_count;
    size_t log_size;
    struct lt_stripe *next;
    struct lt_stripe *next_idle;
} lt_stripe;

/// The free records that a stripe collects before it sets them aside, or gives such a batch back.
enum { LT_FREE_BATCH = 8192 };

/// The calling thread's stripe; NULL when it has none yet.
lt_stripe *lt_own_stripe(void);
/// Gives the calling thread a stripe: one that a former thread left, or a new one; NULL when the system has no memory. It goes
/// back when the thread ends.
lt_stripe *lt_adopt_stripe(void);
/// All stripes there are. New ones are put in front; none is ever freed.
lt_stripe *lt_first_stripe(void);
uint32_t lt_stripe_count(void);
void lt_lock(lt_stripe *stripe);
bool lt_try_lock(lt_stripe *stripe);
void lt_unlock(lt_stripe *stripe);
/// Makes room for the counters of all types up to an index. The stripe is locked by the caller.
bool lt_grow_counts(lt_stripe *stripe, uint32_t type);
/// Moves room to or from a stripe, as if it had always been there. The stripe is locked by the caller.
void lt_add_room(lt_stripe *stripe, uint32_t type, int64_t room);
/// Locks all stripes without ever waiting while it holds one, and keeps new ones from being made.
void lt_lock_all(void);
void lt_unlock_all(void);
bool lt_try_lock_all(void);
/// Waits until every death that was being recorded when this was called has been.
void lt_settle(void);

/// Lists what the stripes have allocated, as far as there is room; answers how many pieces there are. Waits for each stripe's lock.
size_t lt_list_memory(lt_memory *pieces, size_t room);

// MARK: Births and deaths

/// Bits of the mode; 0 is the plain case. The scopes in force are counted above them.
enum { LT_MODE_OFF = 1, LT_MODE_STACKS = 2, LT_MODE_SYSTEM_CLOCK = 4, LT_MODE_SCOPE = 8 };
static inline uint32_t lt_mode(void);
void lt_set_mode(uint32_t bit, bool is_on);
/// Whether births in a registry record their creation stacks.
bool lt_has_stacks(const lt_registry *registry);
void lt_set_stacks(lt_registry *registry, bool is_on);
void lt_add_scopes(int32_t change);

/// Records a birth in the shared registry in the plain mode; answers a handle, or what is needed first.
lt_handle lt_birth_in_plain_mode(const void *metatype, const void *file, uint64_t line);
/// The same where creation stacks are recorded, and all else is plain.
lt_handle lt_birth_with_stack(const void *metatype, const void *file, uint64_t line);
/// The same in another mode.
lt_handle lt_birth_in_mode(const void *metatype, const void *file, uint64_t line, uint32_t mode);
/// Records a birth under a context.
lt_handle lt_birth_in(const lt_context *context, uint64_t time);
/// A handle for an instance that is not traced; LT_UNTRACED for a thread without a stripe.
lt_handle lt_untraced_birth(void);
/// Changes the number of untraced instances whose deaths somebody wants to hear of.
void lt_add_untraced_watches(int64_t change);
/// Records the death of a listed instance; answers false when there is more to do than to count it, and then has done nothing.
bool lt_listed_death(lt_handle handle);
/// Records any death of a listed instance, and tells what its record said. The thread has a stripe with room for the counter.
lt_record lt_death_in(lt_handle handle);
/// Counts the birth of an instance that is not listed. The thread has a stripe with room for the counter.
void lt_count_unlisted(uint32_t type);

static inline lt_record *lt_place(lt_handle handle) {
    return (lt_record *)(uintptr_t)(handle >> LT_PAYLOAD_SHIFT << 4);
}

/// Takes the ids back that are set aside for a stripe; as good as unused where no other thread has been given any since. The
/// stripe and all others are locked by the caller.
void lt_return_ids(lt_stripe *stripe);
/// Takes a stripe's log, to be freed by the caller. The stripe is locked by the caller.
lt_death_log lt_take_log(lt_stripe *stripe);
void lt_free_log(lt_death_log log);

// MARK: Reading and flagging records

/// Reads a record that others may be writing: false when it is not of a live instance.
bool lt_read_record(const lt_record *place, lt_record *record);
/// The same: false, too, when the instance is not of the registry.
bool lt_read_record_of(const lt_record *place, const lt_registry *registry, lt_record *record);
/// Sets flags in the record of a live instance: false when it is not there.
bool lt_flag_record(lt_record *place, const lt_registry *registry, uint64_t id, uint64_t flags);
/// Makes a record free, in front of another.
void lt_link_record(lt_record *place, lt_record *next);
lt_record *lt_next_free(const lt_record *place);
/// Copies the records of a registry's instances up to an id from a chunk; `copied` gets a bit for each.
size_t lt_copy_chunk(
    const lt_record *chunk, const lt_registry *registry, uint64_t cut, lt_record *output, size_t room, uint64_t *copied);
/// The place of a live instance in a chunk; NULL when it is not there.
lt_record *lt_find_record(lt_record *chunk, const lt_registry *registry, uint64_t id);

// MARK: Time

/// What the ticks are.
typedef enum lt_tick_source { LT_TICKS_CYCLES, LT_TICKS_SYSTEM_CLOCK } lt_tick_source;
/// A counter that rises evenly: the cycle counter where that is invariant, else CLOCK_MONOTONIC's nanoseconds.
uint64_t lt_ticks(void);
/// Records hold ticks divided by 2^lt_time_shift(), the lower 44 bits of it.
uint32_t lt_time_shift(void);
lt_tick_source lt_current_tick_source(void);
/// Chooses the source; for tests, before the first birth.
void lt_set_tick_source(lt_tick_source source);

// MARK: Creation stacks

enum { LT_STACK_FRAMES = 16 };
typedef struct lt_stack {
    uint32_t count;
    /// Not 0 when there is a stack; the lower 24 bits are 0, which leaves them to the line.
    uint64_t hash;
    uintptr_t addresses[LT_STACK_FRAMES];
} lt_stack;
/// Walks the frame pointers of the calling thread, within the bounds of its stack.
void lt_walk_stack(lt_stack *stack);
/// The stack that the last birth on this thread has walked, if it has just answered that something is needed first.
bool lt_take_walked_stack(lt_stack *stack);

// MARK: Inlined into the program

// Not to be used but by what follows.
extern uint32_t lt_mode_bits;
extern int64_t lt_untraced_watches;
extern _Thread_local lt_stripe *lt_own __attribute__((tls_model("initial-exec")));

static inline uint32_t lt_mode(void) { return __atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED); }

/// Records a birth in the registry that is shared, unless tracing is off; answers a handle, or what is needed first.
///
/// One level of calls, and as few variables as can be: in a debug build of the program nothing here is optimised.
static inline __attribute__((always_inline)) lt_handle lt_birth(uintptr_t metatype, uintptr_t file, uint32_t line) {
    if (__builtin_expect(!__atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED), 1))
        return lt_birth_in_plain_mode((const void *)metatype, (const void *)file, line);
    uint32_t mode = lt_mode();
    if (mode & LT_MODE_OFF) {
        // Only this thread looks at these two, so they need no lock.
        lt_stripe *stripe = lt_own;
        if (__builtin_expect(stripe && stripe->next_untraced != stripe->end_untraced, 1))
            return stripe->next_untraced++ << LT_PAYLOAD_SHIFT | LT_UNTRACED;
    }
    if (mode == LT_MODE_STACKS) return lt_birth_with_stack((const void *)metatype, (const void *)file, line);
    return lt_birth_in_mode((const void *)metatype, (const void *)file, line, mode);
}

/// Records a death; answers false when there is more to do than to count it, and then has done nothing.
static inline __attribute__((always_inline)) bool lt_death(lt_handle handle) {
    if (__builtin_expect(!(handle & LT_UNLISTED), 1)) return lt_listed_death(handle);
    return !(handle & LT_TYPE_MASK) && !__atomic_load_n(&lt_untraced_watches, __ATOMIC_RELAXED);
}
