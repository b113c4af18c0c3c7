// A hash table from addresses to handles, in parts with a lock each.
//
// Both are stored inverted, so that the table holds neither references to the instances nor copies of the handles that
// a search for retain paths looks for.
#include "buffers.h"

#include <CForkBarrier.h>
#include <stdlib.h>

enum { PARTS = 16, FIRST_SIZE = 64 };

typedef struct entry {
    /// 0 if the entry is empty.
    uint64_t key;
    uint64_t handle;
} entry;

static struct part {
    _Alignas(64) pthread_mutex_t lock;
    uint32_t size, count;
    entry *entries;
} parts[PARTS] = {[0 ... PARTS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static uint64_t hash(uint64_t key) { return key * 0x9E3779B97F4A7C15ull; }

static struct part *lock_part(uint64_t key) {
    struct part *part = &parts[hash(key) >> 60];
    // A thread of a fork child would wait forever for a lock that a thread of the parent held at the fork.
    lt_fork_enter();
    pthread_mutex_lock(&part->lock);
    return part;
}

static void unlock(struct part *part) {
    pthread_mutex_unlock(&part->lock);
    lt_fork_leave();
}

static uint32_t place_of(const struct part *part, uint64_t key) {
    uint32_t place = (uint32_t)(hash(key) >> 28) & (part->size - 1);
    while (part->entries[place].key && part->entries[place].key != key) place = (place + 1) & (part->size - 1);
    return place;
}

static bool grow(struct part *part) {
    const struct part old = *part;
    const uint32_t size = old.size ? old.size * 2 : FIRST_SIZE;
    entry *entries = calloc(size, sizeof *entries);
    if (!entries) return false;
    part->entries = entries;
    part->size = size;
    for (uint32_t place = 0; place < old.size; place++) {
        if (old.entries[place].key) entries[place_of(part, old.entries[place].key)] = old.entries[place];
    }
    free(old.entries);
    return true;
}

uint64_t lt_put_buffer(uintptr_t object, uint64_t handle, bool *is_kept) {
    const uint64_t key = ~(uint64_t)object;
    struct part *part = lock_part(key);
    uint64_t earlier = 0;
    *is_kept = part->count * 2 < part->size || grow(part);
    if (*is_kept) {
        entry *found = &part->entries[place_of(part, key)];
        if (found->key) earlier = ~found->handle;
        else part->count++;
        *found = (entry){key, ~handle};
    }
    unlock(part);
    return earlier;
}

uint64_t lt_take_buffer(uintptr_t object) {
    const uint64_t key = ~(uint64_t)object;
    struct part *part = lock_part(key);
    uint64_t handle = 0;
    if (part->size) {
        uint32_t place = place_of(part, key);
        if (part->entries[place].key) {
            handle = ~part->entries[place].handle;
            part->entries[place].key = 0;
            part->count--;
            // The entries behind it move up, so that their searches do not end at the gap (Knuth, The Art of Computer
            // Programming 3, 6.4, algorithm R).
            const uint32_t mask = part->size - 1;
            for (uint32_t next = (place + 1) & mask; part->entries[next].key; next = (next + 1) & mask) {
                const uint32_t home = (uint32_t)(hash(part->entries[next].key) >> 28) & mask;
                if (((next - home) & mask) < ((next - place) & mask)) continue;
                part->entries[place] = part->entries[next];
                part->entries[next].key = 0;
                place = next;
            }
        }
    }
    unlock(part);
    return handle;
}
