// The last deaths of a registry, of which the deaths in a scope are the most: each of them is remembered.
//
// One thread at a time writes, under a lock of one locked instruction, and only inside its own stripe: a fork waits for
// that, so the lock is free in the child. Readers take no lock, so no death waits for them. A reader copies entries
// first and then asks how many writes have begun. The entries that those writes may have replaced meanwhile count as
// forgotten.
#define _POSIX_C_SOURCE 200809L
#include "death_ring.h"
#include "stripe_entry.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct lt_death_ring {
    uint32_t is_locked;
    size_t limit;
    /// The writes that have begun and ended. Entry number n is at `n % limit`, until write number `n + limit` begins.
    uint64_t begun;
    uint64_t ended;
    /// The place of the next entry, which equals `ended % limit` without a division.
    size_t next;
    lt_death_entry entries[];
};

void lt_make_death_ring(lt_registry *registry, size_t limit) {
    size_t size;
    if (__builtin_mul_overflow(limit, sizeof(lt_death_entry), &size)
        || __builtin_add_overflow(size, sizeof(struct lt_death_ring), &size))
        return;
    // The system provides memory only for the entries that are used.
    struct lt_death_ring *ring = calloc(1, size);
    if (ring) ring->limit = limit;
    registry->deaths = ring;
}

void lt_free_death_ring(lt_registry *registry) { free(registry->deaths); }

lt_memory lt_memory_of_deaths(const lt_registry *registry) {
    const struct lt_death_ring *ring = registry->deaths;
    if (!ring) return (lt_memory){0};
    return (lt_memory){(uintptr_t)ring, (uintptr_t)&ring->entries[ring->limit]};
}

static void lock(struct lt_death_ring *ring) {
    const struct timespec pause = {0, 20 * 1000};
    for (int looks = 0; __atomic_exchange_n(&ring->is_locked, 1, __ATOMIC_ACQUIRE); looks++) {
        // Another thread writes for some nanoseconds, unless the system has stopped it. Not `sched_yield`, because that
        // thread may have a lower priority.
        if (looks < 200) PAUSE();
        else nanosleep(&pause, NULL);
    }
}

void remember_death(const lt_registry *registry, lt_death_entry death) {
    struct lt_death_ring *ring = registry->deaths;
    if (!ring) return;
    lock(ring);
    uint64_t number = ring->ended;
    STORE_RELAXED(&ring->begun, number + 1);
    // A reader that sees a part of the entry also sees that the write has begun.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    lt_death_entry *entry = &ring->entries[ring->next];
    STORE_RELAXED(&entry->id, death.id);
    STORE_RELAXED(&entry->type, death.type);
    STORE_RELAXED(&entry->born_at, death.born_at);
    STORE_RELAXED(&entry->died_at, death.died_at);
    ring->next = ring->next + 1 == ring->limit ? 0 : ring->next + 1;
    STORE_RELEASE(&ring->ended, number + 1);
    STORE_RELEASE(&ring->is_locked, 0);
}

void lt_remember_death(const lt_registry *registry, lt_death_entry death) {
    lt_stripe *stripe = lt_own;
    enter_stripe(stripe);
    remember_death(registry, death);
    leave_stripe(stripe);
}

static lt_death_entry copy_entry(const struct lt_death_ring *ring, uint64_t number) {
    const lt_death_entry *entry = &ring->entries[number % ring->limit];
    return (lt_death_entry){
        LOAD_RELAXED(&entry->id), LOAD_RELAXED(&entry->type), LOAD_RELAXED(&entry->born_at),
        LOAD_RELAXED(&entry->died_at)};
}

// Returns the number of the first entry of which the copies made so far are whole.
static uint64_t first_whole(const struct lt_death_ring *ring) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint64_t begun = LOAD_RELAXED(&ring->begun);
    return begun > ring->limit ? begun - ring->limit : 0;
}

size_t lt_death_count(const lt_registry *registry) {
    const struct lt_death_ring *ring = registry->deaths;
    uint64_t ended = ring ? LOAD_ACQUIRE(&ring->ended) : 0;
    return ring && ended > ring->limit ? ring->limit : ended;
}

size_t lt_copy_deaths(const lt_registry *registry, lt_death_entry *output, size_t room, uint64_t *forgotten) {
    const struct lt_death_ring *ring = registry->deaths;
    *forgotten = ring ? 0 : lt_last_id(registry);
    if (!ring) return 0;
    uint64_t end = LOAD_ACQUIRE(&ring->ended);
    if (room > ring->limit) room = ring->limit;
    uint64_t first = end > room ? end - room : 0;
    for (uint64_t number = first; number < end; number++) output[number - first] = copy_entry(ring, number);
    uint64_t whole = first_whole(ring);
    if (whole < first) whole = first;
    // Entries that have been replaced since the load of `end` are forgotten, up to all of them.
    if (whole > end) whole = end;
    memmove(output, output + (whole - first), (end - whole) * sizeof *output);
    *forgotten = whole;
    return end - whole;
}

bool lt_find_death(const lt_registry *registry, uint64_t id, lt_death_entry *found) {
    const struct lt_death_ring *ring = registry->deaths;
    if (!ring) return false;
    uint64_t end = LOAD_ACQUIRE(&ring->ended), first = end > ring->limit ? end - ring->limit : 0;
    for (uint64_t number = end; number > first; number--) {
        *found = copy_entry(ring, number - 1);
        if (found->id == id) return number - 1 >= first_whole(ring);
    }
    return false;
}
